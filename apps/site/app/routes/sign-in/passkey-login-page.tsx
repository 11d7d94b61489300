import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { Route } from "./+types/passkey-login-page";
import { celebrate } from "./celebration.ts";
import { field } from "./form-field.ts";

/** Receives the passkey's answer from the login page. */
export async function action({ context, request }: Route.ActionArgs) {
  const visit = context.get(visitContext);
  const form = await request.formData();
  const next = safeNext(form.get("next"), href("/profile"));
  const answer = { challenge: field(form, "challenge"), answerJson: field(form, "answer", 20_000) };
  const result = await context.get(servicesContext).accounts.logInWithPasskey(visit, request, answer);
  if (result.outcome === "logged-in") throw redirect(next, { status: 303, headers: celebrate(visit, result.headers) });
  const note = result.outcome === "slow-down" ? "slow-down" : "passkey-refused";
  throw redirect(pagePath(href("/login"), { note, next }), 303);
}

export function loader() {
  throw redirect(href("/login"));
}

/** Never shown. A default export makes this a page, and React Router checks the origin of posts to pages only. */
export default function PasskeyLoginPage() {
  return null;
}
