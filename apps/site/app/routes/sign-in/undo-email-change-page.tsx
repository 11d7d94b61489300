import { findToken } from "@farthing/core/members/token.server.ts";
import { undoEmailChange } from "@farthing/core/sign-in/undo-email-change.server.ts";
import { data } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import type { Route } from "./+types/undo-email-change-page";
import { field } from "./form-field.ts";
import { LinkOver } from "./link-over.tsx";
import { SignInPage } from "./sign-in-page.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const token = readParameters(request, "/undo-email-change").token ?? "";
  const brandId = context.get(visitContext).brand.id;
  const found = await findToken(db, { brandId, purposes: ["undo-email-change"], token, now: now() });
  return data({ token: found ? token : null, email: found?.email ?? "" }, found ? 200 : 410);
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const token = field(await request.formData(), "token");
  const undone = await undoEmailChange(db, { brandId: context.get(visitContext).brand.id, token, now: now() });
  return data({ undone: undone?.email ?? null }, undone ? 200 : 410);
}

export default function UndoEmailChangePage({ loaderData: { token, email }, actionData }: Route.ComponentProps) {
  if (actionData?.undone) {
    return (
      <SignInPage title="The account is yours again">
        <Notice tone="good" isUrgent title="Everyone has been signed out">
          <p>We have sent a link to {actionData.undone}. Choose a new password with it now.</p>
        </Notice>
      </SignInPage>
    );
  }
  if (actionData || token === null)
    return <LinkOver again={{ href: "/forgotten-password", label: "Choose a new password" }} />;
  return (
    <SignInPage title="Was it not you?">
      <p className="breaks">
        This makes <b>{email}</b> the main address of the account again. The password, passkeys, two-step sign-in and
        addresses that came later are removed, and everyone is signed out. We send you a link to choose a new password;
        then you can set up the rest again.
      </p>
      <form method="post" action="/undo-email-change">
        <input type="hidden" name="token" value={token} />
        <LoadingButton className="is-large is-wide">Take my account back</LoadingButton>
      </form>
      <p className="soft login-help">If it was you who changed the addresses, close the page: nothing happens.</p>
    </SignInPage>
  );
}
