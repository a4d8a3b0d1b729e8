import { doorward } from "doorward/next";
export const { logoutForm, protect, proxy } = doorward();
