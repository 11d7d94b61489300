import { endingOf, type BankAccount } from "@farthing/core/bank-details/bank-account.ts";
import { openBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { readBankAccount } from "@farthing/core/bank-details/read-bank-account.server.ts";
import { cancelClosure, changePayee, requestClosure } from "@farthing/core/closures/operations.server.ts";
import { findClosureView } from "@farthing/core/closures/queries.server.ts";
import { closureDays, needsPayee, type MoneyChoices } from "@farthing/core/closures/rules.ts";
import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { typedIn } from "@farthing/core/registration/read-registration.ts";
import { findWalletPanel } from "@farthing/core/gift-cards/wallet.server.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { loginRedirect } from "../../login-redirect.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/close-page";
import CloseForm from "./close-form.island.tsx";
import { ClosingState } from "./closing-state.tsx";
import { typedPayee } from "./payee-fields.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { provedMemberOf } from "../sign-in/security-guard.ts";

const PATH = href("/profile/privacy/close");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, payeeKeys, bankKeys, now } = context.get(servicesContext);
  const at = now();
  const view = await findClosureView(db, { memberId: member.id, keys: payeeKeys, now: at });
  const cards = await findWalletPanel(db, { memberId: member.id, now: at });
  if (!view.open) provedMemberOf(context, PATH, "open");
  const saved = view.open ? null : await openBankDetails(db, { memberId: member.id, keys: bankKeys });
  return {
    ...view,
    cards,
    name: member.name,
    savedEnding: saved && endingOf(saved),
    now: at,
    cancelDays: closureDays.cancel,
    isNotSaved: readParameters(request, "/profile/privacy/close").note !== null,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const typed = typedIn(form);
  const intent = typed("intent");
  // Staying takes nothing away and needs no password: members must be able to stop a closure that somebody else
  // has requested.
  const member = intent === "stay" ? context.get(memberContext) : provedMemberOf(context, PATH, "change");
  const { db, now, payeeKeys: keys, bankKeys } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id, now: now() };
  const choices: MoneyChoices = {
    pendingChoice: typed("pending") === "give-up" ? "give-up" : "wait",
    payableChoice: typed("payable") === "give-up" ? "give-up" : "pay-out",
  };
  const refuse = (errors: Record<string, string>) =>
    data({ errors, typed: { ...choices, isOther: typed("account") === "other", payee: typedPayee(typed) } }, 400);

  if (intent === "stay") {
    const outcome = await cancelClosure(db, own);
    throw redirect(outcome === "cancelled" ? "/profile/privacy?note=stays" : PATH, 303);
  }
  if (intent === "payee") {
    const payee = readBankAccount(typed);
    if (payee.errors) return refuse(payee.errors);
    const { sessionId } = member;
    if ((await changePayee(db, { ...own, sessionId, payee: payee.value, keys })) === "signed-out")
      throw loginRedirect(request, PATH, "not-sent");
    throw redirect(PATH, 303);
  }
  if (intent !== "close") throw data(null, 400);

  const { balances } = await findClosureView(db, { memberId: member.id, keys, now: own.now });
  const errors: Record<string, string> = {};
  let payee: BankAccount | null = null;
  if (needsPayee(choices, balances)) {
    const isSaved = typed("account") === "saved";
    const read = isSaved
      ? readSaved(await openBankDetails(db, { memberId: member.id, keys: bankKeys }), typed("account_ending"))
      : readBankAccount(typed);
    Object.assign(errors, read.errors);
    payee = read.value;
  }
  const { cards } = await findWalletPanel(db, { memberId: member.id, now: own.now });
  if (cards > 0 && typed("cards") === "") errors["cards"] = REQUIRED_MESSAGE;
  if (typed("sure") === "") errors["sure"] = REQUIRED_MESSAGE;
  if (Object.keys(errors).length > 0) return refuse(errors);
  await requestClosure(db, { ...own, ...choices, payee, keys });
  throw redirect(PATH, 303);
}

/** Takes the account that is there already, if it is still the one that the member saw. */
function readSaved(saved: BankAccount | null, seenEnding: string) {
  if (saved && endingOf(saved) === seenEnding) return { value: saved, errors: null };
  return { value: null, errors: { account: "Your bank details have changed since: choose the account again." } };
}

export default function ClosePage({ loaderData, actionData }: Route.ComponentProps) {
  const { open, balances, cancelDays, name, savedEnding, cards, now, isNotSaved } = loaderData;
  const { errors, typed } = actionData ?? { errors: {}, typed: null };
  const values = typed?.payee ?? { payee_name: name, sort_code: "", account_number: "" };
  return (
    <ProfileShell
      current="privacy"
      parent={{ href: "/profile/privacy", label: "Privacy" }}
      title={open ? "We are closing your account" : "Close the account"}
      isNotSaved={isNotSaved && !actionData}
    >
      {open ? (
        <ClosingState action={PATH} open={open} balances={balances} values={values} now={now} errors={errors} />
      ) : (
        <CloseForm
          action={PATH}
          balances={balances}
          cancelDays={cancelDays}
          values={values}
          chosen={typed}
          savedEnding={savedEnding}
          cards={cards}
          errors={errors}
        />
      )}
    </ProfileShell>
  );
}
