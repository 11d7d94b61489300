import { data, redirect } from "react-router";
import { servicesContext, visitContext } from "../../admin-context.ts";
import { TextField } from "../../kit/fields.tsx";
import { Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn } from "../../kit/read-form.ts";
import { nextIn, noNextCookie } from "./next-cookie.ts";
import { waitText } from "./wait-text.ts";
import type { Route } from "./+types/code-page";

export function loader({ context }: Route.LoaderArgs) {
  if (context.get(visitContext).operator?.step !== "code") throw redirect("/admin/sign-in", 303);
  const { accounts, mailboxUrl } = context.get(servicesContext);
  return { mailboxUrl: accounts.mailCode && mailboxUrl };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext);
  const visit = context.get(visitContext);
  if (visit.operator?.step !== "code") throw redirect("/admin/sign-in", 303);
  const { code = "", send } = typedIn(await request.formData());
  if (send === "mail" && accounts.mailCode) {
    await accounts.mailCode(visit);
    return data({ tone: "good" as const, says: "A new code is in the mailbox. Earlier ones no longer work." });
  }
  const result = await accounts.finish(visit, request, code);
  if (result.outcome === "open") {
    result.headers.append("Set-Cookie", noNextCookie);
    return redirect(nextIn(request), { status: 303, headers: result.headers });
  }
  const isSlow = result.outcome === "slow-down";
  const says = isSlow
    ? `Too many codes. Wait ${waitText(result.retryAfterSeconds)}, then try again.`
    : "This code is wrong, used or over. Type the one that your app shows now, or a recovery code that you have not used.";
  return data({ tone: "bad" as const, says }, { status: isSlow ? 429 : 422 });
}

export default function CodePage({ loaderData: { mailboxUrl }, actionData }: Route.ComponentProps) {
  return (
    <section className="card">
      <PageHead title="Enter your code" intro="Six digits from the app on your phone, or a recovery code." />
      {actionData && <Notice tone={actionData.tone}>{actionData.says}</Notice>}
      <form method="post" action="/admin/sign-in/code">
        <TextField name="code" label="Code" autoComplete="one-time-code" />
        <button className="button is-main">Continue</button>
      </form>
      {mailboxUrl && (
        <form method="post" action="/admin/sign-in/code" className="aside">
          <p>
            Development only: the code is in <a href={mailboxUrl}>the mailbox</a>.
          </p>
          <button className="button" name="send" value="mail">
            Send me a code by e-mail
          </button>
        </form>
      )}
      <p>
        <a href="/admin/sign-in">Start again</a>
      </p>
    </section>
  );
}
