import { createUser, listUserSessions, listUsers, setSessionOrganization } from "./client";
import type { ErrorCode, User } from "./client";
import { client } from "./client/client.gen";
import { address, all, cookie, csrf, key, same, url, user } from "./story";

client.setConfig({ baseUrl: url, auth: (way) => (way.in === "cookie" ? undefined : key) });
const create = (email: string) => createUser({ body: { email, metadata: { plan: "gold", seats: [1] } } });

for (const number of [1, 2, 3, 4, 5, 6]) {
  const { data, error } = await create(address(number));
  if (!data) throw new Error(error?.error.message);
  const made: User = data;
  same(made.metadata, { plan: "gold", seats: [1] });
}

const taken = await create(address(1));
const code: ErrorCode | undefined = taken.error?.error.code;
same([taken.response?.status, code], [409, "email_taken"]);
const wrong = await create("nobody");
same([wrong.response?.status, Object.keys(wrong.error?.error.details ?? {})], [422, ["email"]]);

const users = await all(async (after) => (await listUsers({ query: { limit: 5, after }, throwOnError: true })).data);
same(users.filter((one) => one.email.startsWith(address(1).split("-1@")[0]!)).length, 6);

const sessions = await listUserSessions({ path: { id: user }, throwOnError: true });
same(sessions.data.data[0]?.methods, ["password"]);

const id = sessions.data.data[0]?.organization_id ?? "";
const headers = { "X-CSRF-Token": csrf, Cookie: cookie };
const chosen = await setSessionOrganization({ headers, body: { id } });
same([chosen.response?.status, chosen.data?.organization?.id], [200, id]);
