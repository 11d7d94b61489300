import { cancelGiftCard } from "@farthing/core/gift-cards/cancel-taken.server.ts";
import { cancelPayout, requestPayout } from "@farthing/core/payouts/operations.server.ts";
import { findWithdrawals } from "@farthing/core/payouts/queries.server.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import { provedMemberOf } from "../sign-in/security-guard.ts";
import type { Route } from "./+types/withdraw-page";
import { CardNews, OpenCard } from "./open-card.tsx";
import { OpenPayout, PastPayouts } from "./payout-list.tsx";
import { WithdrawOffer } from "./withdraw-offer.tsx";

const PATH = href("/money/withdraw");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now, bankKeys } = context.get(servicesContext);
  const at = now();
  const view = await findWithdrawals(db, { memberId: member.id, keys: bankKeys, now: at });
  const { supportEmail } = context.get(visitContext).brand;
  return { view, now: at, note: readParameters(request, "/money/withdraw").note, supportEmail };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const intent = field(form, "intent");
  const isCancel = intent === "cancel";
  if (!isCancel && intent !== "withdraw") throw data(null, 400);
  // Cancelling takes nothing away: a member must be able to stop what somebody else has asked for.
  const member = isCancel ? context.get(memberContext) : provedMemberOf(context, `${PATH}?note=ready`, "change");
  const { db, now } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id, now: now() };
  if (isCancel) {
    const payout = { ...own, publicId: field(form, "payout") };
    const atBank = await cancelPayout(db, payout);
    const outcome = atBank === "unknown" ? await cancelGiftCard(db, payout) : atBank;
    if (outcome === "unknown") throw data(null, 404);
    throw redirect(`${PATH}?note=${outcome === "cancelled" ? "cancelled" : "too-late"}`, 303);
  }
  const { outcome } = await requestPayout(db, { ...own, sessionId: member.sessionId });
  if (outcome === "needs-details") throw redirect(href("/money/bank-details"), 303);
  // Whatever else keeps it from being asked for is on the page itself.
  throw redirect(outcome === "requested" ? `${PATH}?note=requested` : PATH, 303);
}

export default function WithdrawPage({ loaderData: { view, now, note, supportEmail } }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="money"
      parent={{ href: "/money", label: "Your money" }}
      title="Withdraw"
      lead="What is yours, to your bank account or as a gift card. It stays yours for as long as you leave it here."
    >
      {note === "card" && <CardNews view={view} />}
      {note === "requested" && (
        <Notice tone="good" isUrgent title="Done. Your money is on its way.">
          <p>We have sent you an e-mail, and write again when it is paid.</p>
        </Notice>
      )}
      {note === "ready" && !view.open && (
        <Notice tone="good" isUrgent title="Thank you. Now press the button below.">
          <p>We had to be sure that it is you.</p>
        </Notice>
      )}
      {note === "cancelled" && !view.open && (
        <Notice tone="good" isUrgent title="Cancelled">
          <p>The money is back in your balance.</p>
        </Notice>
      )}
      {note === "too-late" && (
        <Notice tone="warn" isUrgent title="It has left already">
          <p>It can’t be cancelled any more.</p>
        </Notice>
      )}
      {view.open?.card ? (
        <OpenCard action={PATH} payout={view.open} card={view.open.card} isOnHold={view.isOnHold} now={now} />
      ) : view.open ? (
        <OpenPayout action={PATH} payout={view.open} details={view.details} isOnHold={view.isOnHold} now={now} />
      ) : (
        <WithdrawOffer action={PATH} view={view} supportEmail={supportEmail} now={now} />
      )}
      <PastPayouts payouts={view.past} now={now} />
    </ProfileShell>
  );
}
