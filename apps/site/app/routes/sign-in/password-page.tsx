import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { newPasswordFault } from "@farthing/core/sign-in/new-password-fault.server.ts";
import { confirmationFault } from "@farthing/core/sign-in/rules.ts";
import { findSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { slowDown } from "../../slow-down.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { field } from "./form-field.ts";
import PasswordForm from "./password-form.island.tsx";
import { SlowDownNotice } from "./sign-in-page.tsx";
import type { Route } from "./+types/password-page";
import { ProfileShell } from "../members/profile-shell.tsx";
import { provedMemberOf } from "./security-guard.ts";

const PATH = href("/profile/security/password");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { isOn } = await findSecondFactor(context.get(servicesContext).db, { memberId: member.id });
  if (isOn) provedMemberOf(context, PATH, "open");
  return { email: member.email, isNotSaved: readParameters(request, "/profile/security/password").note !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  // The present password is proof enough where a login asks for nothing else.
  const { isOn } = await findSecondFactor(context.get(servicesContext).db, { memberId: member.id });
  if (isOn) provedMemberOf(context, PATH, "change");
  const form = await request.formData();
  const [present, wanted] = [field(form, "present_password"), field(form, "password")];
  const fault = newPasswordFault(wanted, member.email);
  const confirmation = confirmationFault(field(form, "password_confirmation"), wanted);
  const errors: Record<string, string> = {
    ...(present === "" ? { present_password: REQUIRED_MESSAGE } : {}),
    ...(fault ? { password: fault } : {}),
    ...(confirmation ? { password_confirmation: confirmation } : {}),
  };
  if (Object.keys(errors).length > 0) return data({ errors, waitSeconds: 0 }, 400);
  const { accounts } = context.get(servicesContext);
  const result = await accounts.changePassword(context.get(visitContext), request, { present, wanted });
  if (result.outcome === "changed")
    throw redirect(pagePath(href("/profile/security"), { note: "password" }), { status: 303, headers: result.headers });
  if (result.outcome === "slow-down") {
    const wait = result.retryAfterSeconds;
    return slowDown(context, { errors: {}, waitSeconds: wait }, wait);
  }
  const wrong = { present_password: "That is not your present password." };
  return data({ errors: wrong, waitSeconds: 0 }, 401);
}

export default function PasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="security"
      parent={{ href: "/profile/security", label: "Sign-in and security" }}
      title="Change the password"
      lead="Everywhere else you are signed in, you will be signed out."
      isNotSaved={loaderData.isNotSaved && !actionData}
    >
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      <PasswordForm action={PATH} email={loaderData.email} errors={actionData?.errors} />
      <p className="login-help">
        <a href="/forgotten-password">Forgotten password?</a>
      </p>
    </ProfileShell>
  );
}
