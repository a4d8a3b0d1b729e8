import { protect } from "../../doorward";

const orders = (globalThis.orders ??= []);

export const POST = protect(async (request, { user }) => {
  orders.push(`${await request.text()} for ${user.id}`);
  return Response.json(orders);
});
