import "./doorward";
