import Link from "next/link";
import { loginUrl } from "../../doorward";

export default async function Page() {
  return (
    <main>
      <a href={await loginUrl()}>Log in</a>
      <Link href="/?from=link" prefetch={true}>
        Home
      </Link>
    </main>
  );
}
