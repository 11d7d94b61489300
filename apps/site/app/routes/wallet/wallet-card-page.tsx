import { openCard } from "@farthing/core/gift-cards/open-card.server.ts";
import { markUsed, noteSpend, readBalance, removeSpend } from "@farthing/core/gift-cards/wallet-operations.server.ts";
import { findWalletCard, type WalletCardPage as CardPage } from "@farthing/core/gift-cards/wallet.server.ts";
import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import { isFreshSession } from "@farthing/core/sign-in/fresh-session.ts";
import { data, href, redirect, type RouterContextProvider } from "react-router";
import { formKey } from "../../../server/form-key.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { soonAt } from "../../ui/text/british-dates.ts";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/wallet-card-page";
import { CardCode } from "./card-code.tsx";
import { CardNote, CardStanding } from "./card-notices.tsx";
import { CardSpends } from "./card-spends.tsx";
import { KeepCard } from "./keep-card.tsx";
import { shownCard } from "./shown-card.server.ts";
import { expiryWords, tagOf } from "./wallet-words.ts";
import stylesheet from "./wallet.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const now = context.get(servicesContext).now();
  const card = await ownCard(context, params.card);
  const { note } = readParameters(request, "/money/gift-cards/:card");
  return { card, note, spendKey: crypto.randomUUID(), now };
}

async function ownCard(context: Readonly<RouterContextProvider>, card: string): Promise<CardPage> {
  const { id: memberId, sessionId } = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const found = await findWalletCard(db, { memberId, card, sessionId, now: now() });
  if (!found) throw data(null, 404);
  return found;
}

export async function action({ context, params: { card }, request }: Route.ActionArgs) {
  const { id: memberId } = context.get(memberContext);
  const { db, now, giftCards } = context.get(servicesContext);
  const own = { memberId, card, now: now() };
  const path = href("/money/gift-cards/:card", { card });
  const noted = (note: string) => redirect(`${path}?note=${note}`, 303);
  const form = await request.formData();
  switch (field(form, "intent")) {
    case "show":
      return data({ shown: await show(context, card), spend: null });
    case "used":
    case "unused": {
      const isUsed = field(form, "intent") === "used";
      if (!(await markUsed(db, { ...own, isUsed }))) throw data(null, 404);
      throw noted(isUsed ? "used" : "unused");
    }
    case "spend": {
      const typed = { amount: field(form, "amount", 20).trim(), note: field(form, "note", 100).trim() };
      const amountPence = parsePounds(typed.amount);
      if (amountPence === null || amountPence < 1)
        return data({ shown: null, spend: { ...typed, error: spendProblem(typed.amount) } }, 400);
      const outcome = await noteSpend(db, {
        ...own,
        amountPence,
        note: typed.note || null,
        idempotencyKey: formKey(form),
      });
      if (outcome === "unknown") throw data(null, 404);
      if (outcome === "noted") throw noted("spent");
      const error =
        outcome === "too-much"
          ? "That is more than is left. Check the amount, or remove a note below."
          : "A card has room for a hundred notes. Remove one first.";
      return data({ shown: null, spend: { ...typed, error } }, 400);
    }
    case "remove-spend":
      if (!(await removeSpend(db, { ...own, spendId: field(form, "spend", 40) }))) throw data(null, 404);
      throw noted("removed");
    case "balance": {
      const outcome = await readBalance(db, giftCards.issuers, own);
      if (outcome === "unknown") throw data(null, 404);
      throw noted(outcome === "read" || outcome === "too-soon" ? "balance" : outcome);
    }
    default:
      throw data(null, 400);
  }
}

const spendProblem = (amount: string) =>
  amount === "" ? REQUIRED_MESSAGE : "Enter what you spent in pounds, like 12.50.";

/** Decrypts the card for this device. A device that has not shown it goes to /login/again first, and back. */
async function show(context: Readonly<RouterContextProvider>, publicId: string) {
  const { id: memberId, sessionId, authenticatedAt } = context.get(memberContext);
  const { db, now: clock, giftCards } = context.get(servicesContext);
  const now = clock();
  const card = await ownCard(context, publicId);
  const isFresh = isFreshSession(authenticatedAt, { now, to: "change" });
  const opened = await openCard(db, { memberId, sessionId, card: publicId, isFresh, keys: giftCards.keys, now });
  const path = href("/money/gift-cards/:card", { card: publicId });
  if (opened.outcome === "unknown") throw data(null, 404);
  if (opened.outcome === "prove") throw redirect(pagePath(href("/login/again"), { next: `${path}?note=ready` }), 303);
  if (opened.outcome !== "opened") throw redirect(path, 303);
  return shownCard(opened.card, card);
}

/** One gift card of a member's (G6): its code when they ask for it, what is left, and what they can do with it. */
export default function WalletCardPage({ loaderData, actionData }: Route.ComponentProps) {
  const { card, note, spendKey, now } = loaderData;
  const { publicId, card: name, facePence, leftPence, present, state, usedAt, read } = card;
  const action = href("/money/gift-cards/:card", { card: publicId });
  const shown = actionData?.shown ?? null;
  const tag = tagOf(card);
  const isOwn = present === null && state === "issued";
  return (
    <ProfileShell current="money" title={name} parent={{ href: "/money/gift-cards", label: "Gift cards" }}>
      <div className="no-print">
        <CardNote note={note} />
        <CardStanding card={card} now={now} />
      </div>
      <div className="wallet-layout">
        <div>
          <div className="no-print">
            <div className="wallet-balance">
              <p className="soft">
                {leftPence < facePence ? `Left of ${formatPence(facePence)}` : "Value"}{" "}
                {tag && <span className={`tag ${tag.tone}`}>{tag.label}</span>}
              </p>
              <p className="display wallet-card-value">{formatPence(leftPence)}</p>
              <p>{expiryWords(card)}</p>
              {read && (
                <p className="soft">
                  The issuer said {formatPence(read.leftPence)} at {soonAt(read.readAt, now)}.
                </p>
              )}
            </div>
          </div>
          {isOwn && shown && (
            <>
              <CardCode card={shown}>
                <KeepCard card={shown} />
              </CardCode>
              <p className="soft no-print">
                Anyone who reads the code can spend the card. Print this page if you need it on paper; nothing else is
                printed.
              </p>
            </>
          )}
          {isOwn && !shown && (
            <form method="post" action={action} className="no-print">
              <input type="hidden" name="intent" value="show" />
              <LoadingButton className="is-large">Show the code</LoadingButton>
              {!card.isKnownDevice && <p className="soft">On a new device we ask for your password first.</p>}
            </form>
          )}
        </div>
        <div className="wallet-sections">
          {isOwn && (
            <>
              <CardSpends card={card} action={action} formKey={spendKey} spend={actionData?.spend ?? null} now={now} />
              <section aria-labelledby="more" className="no-print">
                <h2 id="more" className="display section-title">
                  What you can do
                </h2>
                <div className="gift-card-tools">
                  <Act action={action} intent={usedAt ? "unused" : "used"}>
                    {usedAt ? "I have not used it up" : "I have used it up"}
                  </Act>
                  <Act action={action} intent="balance">
                    Ask the issuer what is left
                  </Act>
                  {!usedAt && !card.isExpired && (
                    <a className="button is-quiet" href={href("/money/gift-cards/:card/gift", { card: publicId })}>
                      Give it to a friend
                    </a>
                  )}
                </div>
              </section>
            </>
          )}
          <section aria-labelledby="terms" className="wallet-terms">
            <h2 id="terms" className="display section-title">
              Terms
            </h2>
            <p>
              {card.redeemableAt.length === 2
                ? "For shops and online."
                : card.redeemableAt[0] === "online"
                  ? "For online purchases only."
                  : "For shops only."}{" "}
              Order {card.order}.
            </p>
            {card.terms !== "" && <p className="wallet-terms-text">{card.terms}</p>}
          </section>
        </div>
      </div>
    </ProfileShell>
  );
}

function Act({ action, intent, children }: { action: string; intent: string; children: string }) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="intent" value={intent} />
      <button type="submit" className="button is-quiet">
        {children}
      </button>
    </form>
  );
}
