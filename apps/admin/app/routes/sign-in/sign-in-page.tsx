import { data, redirect } from "react-router";
import { servicesContext, visitContext } from "../../admin-context.ts";
import { TextField } from "../../kit/fields.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ownPath } from "../../kit/own-path.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn } from "../../kit/read-form.ts";
import { nextCookie } from "./next-cookie.ts";
import { waitText } from "./wait-text.ts";
import type { Route } from "./+types/sign-in-page";

export function loader({ context, request }: Route.LoaderArgs) {
  const { operator } = context.get(visitContext);
  if (operator?.step === "open") throw redirect("/admin", 303);
  const query = new URL(request.url).searchParams;
  return { next: ownPath(query.get("next")), isFromLink: query.has("chosen"), isSignedOut: query.has("signed-out") };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext);
  const { email = "", password = "", next } = typedIn(await request.formData());
  const result = await accounts.signIn(context.get(visitContext), request, { email, password });
  if (result.outcome === "step") {
    result.headers.append("Set-Cookie", nextCookie(ownPath(next)));
    return redirect(`/admin/sign-in/${result.step}`, { status: 303, headers: result.headers });
  }
  const fault =
    result.outcome === "slow-down"
      ? `Too many tries. Wait ${waitText(result.retryAfterSeconds)}, then try again.`
      : "The e-mail address or the password is wrong. Check both; after five wrong tries there is a wait.";
  return data({ fault, email }, { status: result.outcome === "slow-down" ? 429 : 422 });
}

export default function SignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const { next, isFromLink, isSignedOut } = loaderData;
  return (
    <section className="card">
      <PageHead title="Sign in" intro="For the people who run the club." />
      {actionData && <Notice tone="bad">{actionData.fault}</Notice>}
      {!actionData && isFromLink && <Notice tone="good">Your password is saved. Sign in with it.</Notice>}
      {!actionData && isSignedOut && <Notice>You are signed out.</Notice>}
      <form method="post" action="/admin/sign-in">
        <input type="hidden" name="next" value={next} />
        <TextField name="email" label="Email" type="email" autoComplete="username" value={actionData?.email} />
        <TextField name="password" label="Password" type="password" autoComplete="current-password" />
        <button className="button is-main">Log in</button>
      </form>
    </section>
  );
}
