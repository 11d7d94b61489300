import { newPasswordFault } from "@farthing/core/sign-in/new-password-fault.server.ts";
import { confirmationFault } from "@farthing/core/sign-in/rules.ts";
import { findToken } from "@farthing/core/members/token.server.ts";
import { data, href, redirect } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { Route } from "./+types/reset-password-page";
import { field } from "./form-field.ts";
import ResetPasswordForm from "./reset-password-form.island.tsx";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";
import { LinkOver } from "./link-over.tsx";

const purposes = ["reset-password"] as const;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const token = readParameters(request, "/reset-password").token ?? "";
  const brandId = context.get(visitContext).brand.id;
  const found = await findToken(db, { brandId, purposes, token, now: now() });
  return data({ token: found ? token : null, email: found?.email ?? "" }, found ? 200 : 410);
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, accounts, now } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const form = await request.formData();
  const [token, password] = [field(form, "token"), field(form, "password")];
  const found = await findToken(db, { brandId: visit.brand.id, purposes, token, now: now() });
  if (!found) return data({ isOver: true, token: "", errors: {}, waitSeconds: 0 }, 410);
  const fault = newPasswordFault(password, found.email);
  const confirmation = confirmationFault(field(form, "password_confirmation"), password);
  const errors = {
    ...(fault ? { password: fault } : {}),
    ...(confirmation ? { password_confirmation: confirmation } : {}),
  };
  if (Object.keys(errors).length > 0) return data({ isOver: false, token, errors, waitSeconds: 0 }, 400);
  const result = await accounts.resetPassword(visit, { token, password });
  if (result.outcome === "reset") throw redirect(pagePath(href("/login"), { note: "password-set" }), 303);
  if (result.outcome === "bad-token") return data({ isOver: true, token: "", errors: {}, waitSeconds: 0 }, 410);
  const wait = result.retryAfterSeconds;
  return slowDown(context, { isOver: false, token, errors: {}, waitSeconds: wait }, wait);
}

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const token = actionData ? actionData.token : loaderData.token;
  if (!token)
    return (
      <LinkOver
        again={{ href: "/forgotten-password", label: "Ask for a new link" }}
        ifUsed={
          <>
            If you chose a password here and saw no answer, it may have worked: <a href="/login">log in with it</a>.
          </>
        }
      />
    );
  return (
    <SignInPage title="Choose a new password">
      <p>Everywhere you are signed in now, you will be signed out. Passkeys are removed; you can add yours again.</p>
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      <ResetPasswordForm token={token} email={loaderData.email} errors={actionData?.errors} />
    </SignInPage>
  );
}
