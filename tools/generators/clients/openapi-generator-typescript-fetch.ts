import { Configuration, ResponseError, SessionApi, UsersApi } from "./client";
import { ErrorCode } from "./client";
import type { ErrorBody, User } from "./client";
import { address, all, cookie, csrf, key, same, url, user } from "./story";

const api = new UsersApi(new Configuration({ basePath: url, accessToken: key }));
const create = (email: string): Promise<User> =>
  api.createUser({ createUser: { email, metadata: { plan: "gold", seats: [1] } } });

async function refusal(work: Promise<unknown>): Promise<[number, ErrorBody]> {
  const why = await work.then(() => new Error("it was not refused"), (why: unknown) => why);
  if (!(why instanceof ResponseError)) throw why;
  return [why.response.status, await why.response.json()];
}

for (const number of [1, 2, 3, 4, 5, 6]) {
  const made = await create(address(number));
  same(made.metadata, { plan: "gold", seats: [1] });
}

const [conflict, taken] = await refusal(create(address(1)));
same([conflict, taken.error.code], [409, ErrorCode.EmailTaken]);
const [unprocessable, wrong] = await refusal(create("nobody"));
same([unprocessable, Object.keys(wrong.error.details ?? {})], [422, ["email"]]);

const users = await all((after) => api.listUsers({ limit: 5, after }));
same(users.filter((one) => one.email.startsWith(address(1).split("-1@")[0]!)).length, 6);

const sessions = await api.listUserSessions({ id: user });
same(sessions.data[0]?.methods, ["password"]);

const browser = new SessionApi(new Configuration({ basePath: url, headers: { Cookie: cookie } }));
const id = sessions.data[0]?.organizationId ?? "";
const chosen = await browser.setSessionOrganization({ xCSRFToken: csrf, setSessionOrganization: { id } });
same(chosen.organization?.id, id);
