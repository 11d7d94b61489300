import { confirmEmail } from "@farthing/core/members/email-confirmation.server.ts";
import { findToken } from "@farthing/core/members/token.server.ts";
import { data, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { pageHandle } from "../../page-handle.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { tokenPage } from "../../site-headers.ts";
import { LoadingButton } from "../../ui/loading-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Route } from "./+types/confirm-email-page";
import { field } from "./form-field.ts";
import { LinkOver } from "./link-over.tsx";
import { SignInPage } from "./sign-in-page.tsx";

export const handle = pageHandle("emails", "confirm");

const purposes = ["confirm-email", "add-email"] as const;

/** Shows a button and spends nothing: scanners of mail open every link. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const token = readParameters(request, "/confirm-email").token ?? "";
  const brandId = context.get(visitContext).brand.id;
  const found = await findToken(db, { brandId, purposes, token, now: now() });
  return data(
    { token: found ? token : null, email: found?.email ?? "" },
    { headers: tokenPage, status: found ? 200 : 410 },
  );
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, accounts, now } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const token = field(await request.formData(), "token");
  const confirmed = await confirmEmail(db, { brandId: visit.brand.id, token, now: now() });
  if (!confirmed) return data({ isOver: true, added: null }, { status: 410, headers: tokenPage });
  if (confirmed.kind === "added") {
    if (visit.member?.id === confirmed.memberId)
      throw redirect("/profile/security/emails", { status: 303, headers: tokenPage });
    return data({ isOver: false, added: confirmed.email }, { status: 200, headers: tokenPage });
  }
  const headers = await accounts.openSession(visit, request, confirmed.memberId);
  throw redirect(confirmed.next ?? "/profile", { status: 303, headers });
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders.has("Cache-Control") ? actionHeaders : loaderHeaders;
}

export default function ConfirmEmailPage({ loaderData: { token, email }, actionData }: Route.ComponentProps) {
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
    return <LinkOver again={{ href: "/login", label: "Log in to get a new link" }} />;
  return (
    <SignInPage title="Confirm your email">
      <p className="breaks">
        Is <b>{email}</b> your e-mail address?
      </p>
      <form method="post" action="/confirm-email">
        <input type="hidden" name="token" value={token} />
        <LoadingButton className="is-large is-wide">Confirm email</LoadingButton>
      </form>
      <p className="soft login-help">If you did not ask for this, close the page: nothing happens.</p>
    </SignInPage>
  );
}
