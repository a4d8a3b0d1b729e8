import { cookies } from "next/headers";
import { auth, logoutForm, protect } from "../doorward";

const orders = (globalThis.orders ??= []);

async function order(form) {
  "use server";
  const { user } = await protect({ live: true });
  orders.push(`${form.get("order")} for ${user.email}`);
}

export default async function Page({ searchParams }) {
  const { rules = '{"live":true}' } = await searchParams;
  const { user, organization } = await protect(JSON.parse(rules));
  const token = await auth({ ask: false });
  const seen = { email: user.email, role: organization.role, token: token?.user.id === user.id };
  return (
    <main>
      <pre>{JSON.stringify({ ...seen, theme: (await cookies()).get("theme")?.value })}</pre>
      <form action={order}>
        <button name="order" value="tea">
          Order
        </button>
      </form>
      {await logoutForm()}
    </main>
  );
}
