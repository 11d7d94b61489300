import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { findSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import { data, href, redirect } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/again-page";
import AgainForm from "./again-form.island.tsx";
import { field } from "./form-field.ts";
import PasskeyForm from "./passkey-form.island.tsx";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";

/**
 * Members prove their identity again before a change that could lock the owner out, if their last proof is not fresh
 * (fresh-session.ts). The page asks for everything that a login asks for, so that a password alone never turns two-step
 * sign-in off.
 */
const HOME = href("/profile/security");

export async function loader({ context, request }: Route.LoaderArgs) {
  const visit = context.get(visitContext);
  const next = safeNext(readParameters(request, "/login/again").next, HOME);
  if (!visit.member) throw loginRedirect(request, next);
  const { db, accounts } = context.get(servicesContext);
  const { isOn: asksForCode } = await findSecondFactor(db, { memberId: visit.member.id });
  const passkey = accounts.askForPasskey(visit);
  return { next, passkey, email: visit.member.email, asksForCode };
}

export async function action({ context, request }: Route.ActionArgs) {
  const visit = context.get(visitContext);
  const { accounts } = context.get(servicesContext);
  const form = await request.formData();
  const next = safeNext(form.get("next"), HOME);
  if (!visit.member) throw loginRedirect(request, next);
  const byPasskey = form.has("answer");
  const result = byPasskey
    ? await accounts.confirmWithPasskey(visit, request, {
        challenge: field(form, "challenge"),
        answerJson: field(form, "answer", 20_000),
      })
    : await accounts.confirmWithPassword(visit, request, {
        password: field(form, "password"),
        code: field(form, "code", 60),
      });
  if (result.outcome === "logged-in") throw redirect(next, { status: 303, headers: result.headers });
  if (result.outcome === "slow-down") {
    const wait = result.retryAfterSeconds;
    return slowDown(context, { next, errors: {}, waitSeconds: wait }, wait);
  }
  const errors: Record<string, string> = byPasskey
    ? { password: "That passkey did not work. Use your password." }
    : result.outcome === "wrong-code"
      ? { code: "That code is not right, or was used before. Each code works once." }
      : { password: "That is not your password." };
  return data({ next, errors, waitSeconds: 0 }, 401);
}

export default function AgainPage({ loaderData, actionData }: Route.ComponentProps) {
  const next = actionData?.next ?? loaderData.next;
  return (
    <SignInPage title="Is it you?">
      <p>
        You are about to change how your account is opened or where its money goes, or to see a gift card’s code. Please
        show once more that it is you.
      </p>
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      <AgainForm
        next={next}
        email={loaderData.email}
        asksForCode={loaderData.asksForCode}
        errors={actionData?.errors}
      />
      <PasskeyForm question={loaderData.passkey} action="/login/again" next={next} label="Use a passkey" />
      <p className="login-help">
        <a href="/forgotten-password">Forgotten password?</a>
      </p>
    </SignInPage>
  );
}
