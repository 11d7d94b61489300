import { disownBankDetails } from "@farthing/core/closures/disown-bank-details.server.ts";
import { findToken } from "@farthing/core/members/token.server.ts";
import { data } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { field } from "../sign-in/form-field.ts";
import { LinkOver } from "../sign-in/link-over.tsx";
import { SignInPage } from "../sign-in/sign-in-page.tsx";
import type { Route } from "./+types/remove-bank-details-page";

/** "This was not me" in the mail about changed bank details. It needs no session: the owner may have lost theirs. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const token = readParameters(request, "/remove-bank-details").token ?? "";
  const brandId = context.get(visitContext).brand.id;
  const found = await findToken(db, { brandId, purposes: ["remove-bank-details"], token, now: now() });
  return data({ token: found ? token : null }, found ? 200 : 410);
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const token = field(await request.formData(), "token");
  const isRemoved = await disownBankDetails(db, { brandId: context.get(visitContext).brand.id, token, now: now() });
  return data({ isRemoved }, isRemoved ? 200 : 410);
}

export default function RemoveBankDetailsPage({ loaderData: { token }, actionData }: Route.ComponentProps) {
  if (actionData?.isRemoved)
    return (
      <SignInPage title="The bank details are removed">
        <Notice tone="good" isUrgent title="Nothing can be paid to them">
          <p>
            Somebody was in your account. <a href="/forgotten-password">Choose a new password now</a>: it signs everyone
            out. Then give your own bank details again.
          </p>
        </Notice>
      </SignInPage>
    );
  if (actionData || token === null)
    return <LinkOver again={{ href: "/forgotten-password", label: "Choose a new password" }} />;
  return (
    <SignInPage title="Was it not you?">
      <p>This removes the bank details from your account. Nothing can be paid out until you give new ones.</p>
      <form method="post" action="/remove-bank-details">
        <input type="hidden" name="token" value={token} />
        <LoadingButton className="is-large is-wide">Remove the bank details</LoadingButton>
      </form>
      <p className="soft login-help">If it was you who changed them, close the page: nothing happens.</p>
    </SignInPage>
  );
}
