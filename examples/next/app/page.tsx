import { logoutForm, protect } from "../doorward";

export default async function Home() {
  const { user, organization } = await protect({ live: true });
  return (
    <main>
      {user.email} of {organization?.name} {await logoutForm()}
    </main>
  );
}
