import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { maskedEmail } from "@farthing/core/members/masked-email.ts";
import { emailSchema } from "@farthing/core/sign-in/schema.ts";
import { data } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import type { Route } from "./+types/forgotten-password-page";
import ForgottenPasswordForm from "./forgotten-password-form.island.tsx";
import { field } from "./form-field.ts";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";

/** The answer is the same whether the address has an account or not. Only its mailbox learns which. */
export async function action({ context, request }: Route.ActionArgs) {
  const typed = field(await request.formData(), "email", 400);
  const email = emailSchema.safeParse(typed);
  if (!email.success) {
    const isMissing = typed.trim() === "";
    const errors = { email: isMissing ? REQUIRED_MESSAGE : "Enter your e-mail address, like name@example.org." };
    return data({ errors, typed: typed.slice(0, 254), sentTo: null, waitSeconds: 0 }, 400);
  }
  const result = await context.get(servicesContext).accounts.forgotPassword(context.get(visitContext), email.data);
  if (result.outcome === "slow-down") {
    const wait = result.retryAfterSeconds;
    return slowDown(context, { errors: {}, typed: email.data, sentTo: null, waitSeconds: wait }, wait);
  }
  return { errors: {}, typed: "", sentTo: maskedEmail(email.data), waitSeconds: 0 };
}

export default function ForgottenPasswordPage({ actionData }: Route.ComponentProps) {
  if (actionData?.sentTo) {
    return (
      <SignInPage title="Look in your mailbox">
        <Notice tone="good" isUrgent title={`We have written to ${actionData.sentTo}`}>
          <p>
            If that address has an account here, there is a link in the mail to choose a new password. The mail says for
            how long it works. If you asked before, a link that you have been sent works as well.
          </p>
        </Notice>
        <p>
          Nothing there after a few minutes? Look in the folder for spam, or try another address: many people joined
          with one from work or school.
        </p>
        <p className="login-help">
          <a href="/forgotten-password">Try another address</a>
        </p>
      </SignInPage>
    );
  }
  return (
    <SignInPage title="Forgotten password">
      <p>Tell us your e-mail address, and we send a link to choose a new password.</p>
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      <ForgottenPasswordForm typed={actionData?.typed} errors={actionData?.errors} />
      <p className="login-help">
        <a href="/login">Back to log in</a>
      </p>
    </SignInPage>
  );
}
