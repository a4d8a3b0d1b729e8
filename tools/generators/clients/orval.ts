import { createUser, listUserSessions, listUsers, setSessionOrganization } from "./client/api";
import type { ErrorCode, User } from "./client/api";
import { address, all, cookie, csrf, key, same, user } from "./story";

const backend = { headers: { Authorization: `Bearer ${key}` } };
const create = (email: string) => createUser({ email, metadata: { plan: "gold", seats: [1] } }, backend);

for (const number of [1, 2, 3, 4, 5, 6]) {
  const { data, status } = await create(address(number));
  if (status !== 201) throw new Error(data.error.message);
  const made: User = data;
  same(made.metadata, { plan: "gold", seats: [1] });
}

const taken = await create(address(1));
if (taken.status !== 409) throw new Error(`${taken.status}`);
const code: ErrorCode = taken.data.error.code;
same(code, "email_taken");
const wrong = await create("nobody");
if (wrong.status !== 422) throw new Error(`${wrong.status}`);
same(Object.keys(wrong.data.error.details ?? {}), ["email"]);

const users = await all(async (after) => {
  const page = await listUsers({ limit: 5, after }, backend);
  if (page.status !== 200) throw new Error(page.data.error.message);
  return page.data;
});
same(users.filter((one) => one.email.startsWith(address(1).split("-1@")[0]!)).length, 6);

const sessions = await listUserSessions(user, undefined, backend);
if (sessions.status !== 200) throw new Error(sessions.data.error.message);
same(sessions.data.data[0]?.methods, ["password"]);

const id = sessions.data.data[0]?.organization_id ?? "";
const chosen = await setSessionOrganization({ id }, { headers: { "X-CSRF-Token": csrf, Cookie: cookie } });
if (chosen.status !== 200) throw new Error(chosen.data.error.message);
same(chosen.data.organization?.id, id);
