import { doorward } from "doorward/next";

export const { proxy, auth, protect, optional, logoutForm, csrfToken, loginUrl } = doorward();
