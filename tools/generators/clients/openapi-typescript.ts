import createClient from "openapi-fetch";
import type { components, paths } from "./client/api";
import { address, all, cookie, csrf, key, same, url, user } from "./story";

const backend = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });
const create = (email: string) =>
  backend.POST("/auth/api/v2/users", { body: { email, metadata: { plan: "gold", seats: [1] } } });

for (const number of [1, 2, 3, 4, 5, 6]) {
  const { data, error } = await create(address(number));
  if (!data) throw new Error(error.error.message);
  const made: components["schemas"]["User"] = data;
  same(made.metadata, { plan: "gold", seats: [1] });
}

const taken = await create(address(1));
const code: components["schemas"]["ErrorCode"] | undefined = taken.error?.error.code;
same([taken.response.status, code], [409, "email_taken"]);
const wrong = await create("nobody");
same([wrong.response.status, Object.keys(wrong.error?.error.details ?? {})], [422, ["email"]]);

const users = await all(async (after) => {
  const { data } = await backend.GET("/auth/api/v2/users", { params: { query: { limit: 5, after } } });
  if (!data) throw new Error("no page");
  return data;
});
same(users.filter((one) => one.email.startsWith(address(1).split("-1@")[0]!)).length, 6);

const path = { id: user };
const sessions = await backend.GET("/auth/api/v2/users/{id}/sessions", { params: { path } });
same(sessions.data?.data[0]?.methods, ["password"]);

const browser = createClient<paths>({ baseUrl: url, headers: { Cookie: cookie } });
const id = sessions.data?.data[0]?.organization_id ?? "";
const header = { "X-CSRF-Token": csrf };
const chosen = await browser.PUT("/auth/api/v2/session/organization", { params: { header }, body: { id } });
same([chosen.response.status, chosen.data?.organization?.id], [200, id]);
