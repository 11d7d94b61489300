import { findLinkOperator } from "@farthing/core/operators/sign-in.server.ts";
import { PASSWORD_RULE } from "@farthing/core/sign-in/rules.ts";
import { data, redirect } from "react-router";
import { servicesContext, visitContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { TextField } from "../../kit/fields.tsx";
import { Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn } from "../../kit/read-form.ts";
import { waitText } from "./wait-text.ts";
import type { Route } from "./+types/join-page";

const badLink = () =>
  refused(410, {
    title: "This link no longer works",
    text: "It was used, or it is more than three days old. Ask the owner who invited you for another.",
  });

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const found = await findLinkOperator(db, { token: params.token, now: now() });
  if (!found) throw badLink();
  return { email: found.email, name: found.name };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { password = "", confirm = "" } = typedIn(await request.formData());
  if (password !== confirm)
    return data({ faults: { confirm: "This is not the same as the password above." } }, { status: 422 });
  const { accounts } = context.get(servicesContext);
  const result = await accounts.choosePassword(context.get(visitContext), { token: params.token, password });
  if (result.outcome === "chosen") return redirect("/admin/sign-in?chosen", 303);
  if (result.outcome === "bad-link") throw badLink();
  const fault =
    result.outcome === "fault"
      ? result.fault
      : `Too many tries. Wait ${waitText(result.retryAfterSeconds)}, then try again.`;
  return data({ faults: { password: fault } }, { status: 422 });
}

/** The address holds a secret: it is sent to no other page. */
export function headers() {
  return { "Referrer-Policy": "no-referrer" };
}

export default function JoinPage({ loaderData: { email, name }, actionData, params }: Route.ComponentProps) {
  const faults: Record<string, string> = actionData?.faults ?? {};
  return (
    <section className="card">
      <PageHead title="Choose a password" intro={`${name}, you sign in as ${email}.`} />
      {actionData && <Notice tone="bad">Nothing was saved yet. See below.</Notice>}
      <form method="post" action={`/admin/join/${params.token}`}>
        <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          help={PASSWORD_RULE}
          faults={faults}
        />
        <TextField
          name="confirm"
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          faults={faults}
        />
        <button className="button is-main">Save password</button>
      </form>
    </section>
  );
}
