export { proxy } from "./doorward";
