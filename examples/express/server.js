import { doorward } from "doorward/express";
import escapeHtml from "escape-html";
import express from "express";

const app = express();
const port = process.env.PORT || 3000;
const { logoutForm, protect } = doorward();

app.get("/", protect({ live: true }), (req, res) => {
  const { user, organization } = req.who;
  const shown = escapeHtml(`${user.email} of ${organization?.name}`);
  res.send(`<p>${shown}</p>${logoutForm(req)}`);
});

app.listen(port, () => {
  console.log(`Example app listening on port ${port}`);
});
