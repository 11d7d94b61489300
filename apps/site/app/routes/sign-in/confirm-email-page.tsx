import { confirmEmail, findConfirmation } from "@farthing/core/sign-in/email-confirmation.server.ts";
import { newPasswordFault } from "@farthing/core/sign-in/new-password-fault.server.ts";
import { confirmationFault } from "@farthing/core/sign-in/rules.ts";
import { data, href, redirect } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { joiningTokenOf } from "../registration/draft-cookie.ts";
import type { Route } from "./+types/confirm-email-page";
import ConfirmEmailForm from "./confirm-email-form.island.tsx";
import { field } from "./form-field.ts";
import { LinkOver } from "./link-over.tsx";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";

/** Shows a button and spends nothing, because mail scanners open every link. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand, origin } = context.get(visitContext);
  const token = readParameters(request, "/confirm-email").token ?? "";
  const browserToken = joiningTokenOf(request, origin);
  const found = await findConfirmation(db, { brandId: brand.id, token, browserToken, now: now() });
  const { email = "", needsPassword = false, account = null } = found ?? {};
  return data({ token: found ? token : null, email, needsPassword, account }, found ? 200 : 410);
}

const nothing = {
  isOver: false,
  added: null as string | null,
  token: "",
  email: "",
  errors: {} as Record<string, string>,
  waitSeconds: 0,
};

/**
 * Confirms the address. In the browser that registered, pressing the button is enough. Any other browser has to choose
 * a password as well: somebody else may have registered the account, with a password that they know, and the owner of
 * the mailbox must not open it to them.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, accounts, now } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const form = await request.formData();
  const token = field(form, "token");
  const browserToken = joiningTokenOf(request, visit.origin);
  const asked = { brandId: visit.brand.id, token, browserToken, now: now() };
  const over = () => data({ ...nothing, isOver: true }, 410);
  const found = await findConfirmation(db, asked);
  if (!found) return over();
  let passwordHash: string | null = null;
  if (found.needsPassword) {
    const { email } = found;
    const password = field(form, "password");
    const fault = newPasswordFault(password, email);
    const confirmation = confirmationFault(field(form, "password_confirmation"), password);
    const errors = {
      ...(fault ? { password: fault } : {}),
      ...(confirmation ? { password_confirmation: confirmation } : {}),
    };
    if (Object.keys(errors).length > 0) return data({ ...nothing, token, email, errors }, 400);
    try {
      passwordHash = await accounts.hashPassword(password);
    } catch (error) {
      if ((error as Error).name !== "HashingBusy") throw error;
      return slowDown(context, { ...nothing, token, email, waitSeconds: 5 }, 5);
    }
  }
  const confirmed = await confirmEmail(db, { ...asked, passwordHash });
  if (!confirmed) return over();
  if (confirmed.kind === "added") {
    if (visit.member?.id === confirmed.memberId) throw redirect(href("/profile/security/emails"), 303);
    return data({ ...nothing, added: confirmed.email }, 200);
  }
  const headers = await accounts.openSession(visit, request, confirmed.memberId);
  throw redirect(confirmed.next ?? href("/profile"), { status: 303, headers });
}

export default function ConfirmEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const token = actionData?.token || loaderData.token;
  const email = actionData?.email || loaderData.email;
  if (actionData?.added) {
    return (
      <SignInPage title="Confirmed">
        <Notice tone="good" isUrgent title={`${actionData.added} opens the account from now on`} />
        <p>
          <a className="button is-large is-wide" href="/login">
            Log in
          </a>
        </p>
      </SignInPage>
    );
  }
  if (actionData?.isOver || token === null)
    return (
      <LinkOver
        again={{ href: "/login", label: "Log in" }}
        ifUsed="Log in: either your address is confirmed already, or we send you a new link."
      />
    );
  // This page answers a post only where a password is needed.
  const needsPassword = loaderData.needsPassword || actionData !== undefined;
  return (
    <SignInPage title="Confirm your email">
      <p className="breaks">
        Is <b>{email}</b> your e-mail address?
        {loaderData.account &&
          ` It will open the account of ${loaderData.account}: confirm it only if that account is yours.`}
      </p>
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      {needsPassword ? (
        <>
          <p>
            You joined in another browser, so we ask for a password here. Type the one you chose when you joined, or a
            new one, in both fields. It opens your account from now on.
          </p>
          <ConfirmEmailForm token={token} email={email} errors={actionData?.errors} />
        </>
      ) : (
        <form method="post" action="/confirm-email">
          <input type="hidden" name="token" value={token} />
          <LoadingButton className="is-large is-wide">Confirm email</LoadingButton>
        </form>
      )}
      <p className="soft login-help">If you did not ask for this, close the page: nothing happens.</p>
    </SignInPage>
  );
}
