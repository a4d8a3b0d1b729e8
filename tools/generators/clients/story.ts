// What every client in TypeScript does against a running service, which says where it is.
import { deepStrictEqual } from "node:assert";

const given = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

export const url = given("DOORWARD_URL");
export const key = given("DOORWARD_KEY");
/** A user with a session. */
export const user = given("DOORWARD_USER");
/** The cookies of that session, and its CSRF token. */
export const cookie = given("DOORWARD_COOKIE");
export const csrf = given("DOORWARD_CSRF");

/** An address that no other client takes. */
export const address = (number: number): string => `${given("CLIENT")}-${number}@example.com`;
export const same: (actual: unknown, expected: unknown) => void = deepStrictEqual;

interface Page<T> { data: T[]; next: string | null }

/** All things of a list, five at a time. */
export async function all<T>(read: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const things: T[] = [];
  let after: string | undefined;
  do {
    const page = await read(after);
    if (page.data.length > 5) throw new Error("the page has more than five");
    things.push(...page.data);
    after = page.next ?? undefined;
  } while (after);
  return things;
}
