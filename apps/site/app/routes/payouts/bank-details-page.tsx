import { findBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { changeBankDetails } from "@farthing/core/referrals/change-bank-details.server.ts";
import { readBankAccount } from "@farthing/core/bank-details/read-bank-account.server.ts";
import { typedIn } from "@farthing/core/registration/read-registration.ts";
import { data, href, redirect } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { longDate, soonAt } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { provedMemberOf } from "../sign-in/security-guard.ts";
import type { Route } from "./+types/bank-details-page";
import { typedPayee } from "../closures/payee-fields.tsx";
import BankDetailsForm from "./bank-details-form.island.tsx";

const PATH = href("/money/bank-details");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = provedMemberOf(context, PATH, "open");
  const { db, now, bankKeys } = context.get(servicesContext);
  const at = now();
  const details = await findBankDetails(db, { memberId: member.id, keys: bankKeys, now: at });
  const { note, saved } = readParameters(request, "/money/bank-details");
  return { details, name: member.name, now: at, saved, isNotSaved: note !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = provedMemberOf(context, PATH, "change");
  const typed = typedIn(await request.formData());
  const { db, now, bankKeys: keys } = context.get(servicesContext);
  const read = readBankAccount(typed);
  if (read.errors) return data({ errors: read.errors, values: typedPayee(typed) }, 400);
  const { id: memberId, sessionId } = member;
  const brandId = context.get(visitContext).brand.id;
  const outcome = await changeBankDetails(db, { brandId, memberId, sessionId, account: read.value, keys, now: now() });
  if (outcome === "signed-out") throw loginRedirect(request, PATH, "not-sent");
  throw redirect(`${PATH}?saved=${outcome === "changed" ? "yes" : "same"}`, 303);
}

export default function BankDetailsPage({
  loaderData: { details, name, now, saved, isNotSaved },
  actionData,
}: Route.ComponentProps) {
  const known = details === "unreadable" ? null : details;
  return (
    <ProfileShell
      current="money"
      parent={{ href: "/money/withdraw", label: "Withdraw" }}
      title="Bank details"
      lead="Where your money goes. We keep the details encrypted, and show only the last four digits."
      isNotSaved={isNotSaved && !actionData}
    >
      {saved === "yes" && known && (
        <Notice tone="good" isUrgent title="Saved">
          <p>
            We have sent you an e-mail about it.
            {known.heldUntil && ` To protect you, nothing is paid there before ${soonAt(known.heldUntil, now)}.`}{" "}
            <a href="/money/withdraw">Go on to withdraw</a>
          </p>
        </Notice>
      )}
      {saved === "same" && known && (
        <Notice tone="info" isUrgent title="That is the account we have already">
          <p>Nothing has changed.</p>
        </Notice>
      )}
      {details === "unreadable" && (
        <Notice tone="warn" title="We can’t read your bank details any more">
          <p>Please give them again. Until then nothing can be paid to you.</p>
        </Notice>
      )}
      {known && (
        <dl className="closing-facts">
          <div>
            <dt>Name</dt>
            <dd>{known.name}</dd>
          </div>
          <div>
            <dt>Account ending in</dt>
            <dd>{known.accountEnding}</dd>
          </div>
          <div>
            <dt>Given on</dt>
            <dd>{longDate(known.changedAt)}</dd>
          </div>
        </dl>
      )}
      <h2 className="display section-title">{known ? "Another account?" : "Your UK bank account"}</h2>
      <p className="soft">
        After a change nothing is paid out for 72 hours, and we tell you by e-mail: if it was not you, you can stop it.
      </p>
      <BankDetailsForm
        action={PATH}
        values={actionData?.values ?? { payee_name: known?.name ?? name, sort_code: "", account_number: "" }}
        errors={actionData?.errors ?? {}}
      />
    </ProfileShell>
  );
}
