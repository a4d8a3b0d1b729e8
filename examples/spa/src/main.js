import { logout, session } from "doorward/browser";

const app = document.querySelector("#app");
const back = encodeURIComponent(location.pathname + location.search);
const login = () => location.replace(`/auth/login?return_to=${back}`);
const who = (await session()) ?? login();
if (who) app.textContent = `${who.user.email} of ${who.organization?.name}`;
document.querySelector("button").onclick = () => logout().then(login);
