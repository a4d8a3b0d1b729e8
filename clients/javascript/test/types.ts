/** What TypeScript knows of the library: `npm run check` compiles it. */
import express from "express";
import { doorward, type WebhookEvent } from "../index.js";
import { doorward as expressDoorward } from "../express.js";

const { protect, optional, webhook } = doorward();

protect((request, who) => Response.json({ id: who.user.id, role: who.organization?.role }));
protect((request, session) => new Response(session.user.email), { live: true });
// @ts-expect-error A token has no email address.
protect((request, who) => new Response(who.user.email));
// @ts-expect-error Nobody passes, too.
optional((request, who) => new Response(who.user.id));
// @ts-expect-error There is no such role.
protect(() => new Response(), { role: "boss" });
protect(async (request, who, { params }: { params: { id: string } }) => new Response(params.id));

webhook((event: WebhookEvent) => {
  if (event.type === "user.deleted") return event.data.user_id.length;
  if (event.type === "organization.created") return event.data.created_by_user_id?.length;
  // @ts-expect-error An event of a user has no role.
  return event.type === "user.created" && event.data.role;
});

const app = express();
const { protect: guard, look, webhook: receive } = expressDoorward();
app.post(
  "/hooks",
  receive(() => {}),
);
app.use(guard());
app.get("/", async (req, res) => void res.send(req.who?.user.id ?? (await look(req))?.user.email));
