import { auth } from "../doorward";

export default async function Layout({ children }) {
  const session = await auth();
  return (
    <html>
      <body>
        <header>{session ? session.user.email : "Nobody"}</header>
        {children}
      </body>
    </html>
  );
}
