import type { WalletPanel as WalletView } from "@farthing/core/gift-cards/wallet.server.ts";
import type { ClaimsPanel as ClaimsView } from "@farthing/core/claims/queries.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import type { WithdrawalPanel } from "@farthing/core/payouts/queries.server.ts";
import type { FriendsPanelView } from "@farthing/core/referrals/queries.server.ts";
import type { ReactNode } from "react";
import { FriendsText } from "../referrals/friends-text.tsx";

/**
 * What a member can do about their money, each in a panel of its own: payouts (C6), claims (C7), what friends bring (C8), and gift cards (G6).
 */
export function MoneyPanels({
  withdrawal,
  claims,
  friends,
  wallet,
}: {
  withdrawal: WithdrawalPanel;
  claims: ClaimsView;
  friends: FriendsPanelView;
  wallet: WalletView;
}) {
  return (
    <section aria-labelledby="panels">
      <h2 id="panels" className="display section-title">
        Good to know
      </h2>
      <div className="money-panels">
        <PayoutPanel withdrawal={withdrawal} />
        <ClaimsPanel claims={claims} />
        <FriendsPanel friends={friends} />
        <WalletPanel wallet={wallet} />
      </div>
    </section>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="money-panel">
      <h3 className="display">{title}</h3>
      {children}
    </div>
  );
}

function PayoutPanel({
  withdrawal: { payablePence, thresholdPence, open, lastFailure, isOnHold },
}: {
  withdrawal: WithdrawalPanel;
}) {
  const canWithdraw = !open && !isOnHold && payablePence >= thresholdPence;
  return (
    <Panel title="Getting paid">
      {lastFailure && (
        <p>
          <b>
            {formatPence(lastFailure.amountPence)}{" "}
            {lastFailure.method === "bank" ? "did not reach your bank account." : "did not become a gift card."}
          </b>{" "}
          {lastFailure.isWhole ? "It is yours again." : "What is left of it is in your balance."}{" "}
          <a href="/money/withdraw">See why</a>.
        </p>
      )}
      {open ? (
        <p>
          <b>
            {formatPence(open.amountPence)} is on its way{" "}
            {open.method === "bank" ? "to your bank account." : "to you as a gift card."}
          </b>{" "}
          <a href="/money/withdraw">See when it arrives</a>.
        </p>
      ) : isOnHold ? (
        <p>
          Withdrawals are on hold, because we have a question about your account. Your money is safe.{" "}
          <a href="/money/withdraw">See what to do</a>.
        </p>
      ) : canWithdraw ? (
        <p>
          What is yours stays in your account and does not run out. Withdraw it to your bank account or as a gift card
          when you like.
        </p>
      ) : (
        <p>
          What becomes yours stays in your account and does not run out. You can withdraw it from{" "}
          {formatPence(thresholdPence)} on.
        </p>
      )}
      <p className="button-row">
        <a className={canWithdraw ? "button" : "button is-quiet"} href="/money/withdraw">
          {canWithdraw ? `Withdraw ${formatPence(payablePence)}` : "Withdrawals"}
        </a>
        <a className="button is-quiet" href="/money/bank-details">
          Bank details
        </a>
      </p>
    </Panel>
  );
}

function ClaimsPanel({ claims: { open, needingMember, proposals } }: { claims: ClaimsView }) {
  const [proposed] = proposals;
  return (
    <Panel title="Something missing or wrong?">
      {needingMember > 0 ? (
        <p>
          <b>
            {needingMember === 1 ? "A claim of yours needs" : `${needingMember} claims of yours need`} something from
            you.
          </b>{" "}
          <a href="/money/claims">See what is missing</a>.
        </p>
      ) : proposed ? (
        <p>
          <b>Did you buy something at {proposed.retailer.name}?</b> We were told of a purchase, and then nothing more.{" "}
          <a href="/money/claims">Answer</a>.
        </p>
      ) : (
        <p>
          Every click has a receipt with the rate and the terms of that moment. Keep your order confirmation, and see{" "}
          <a href="/faq/cashback/my-purchase-is-not-there">what to do about a purchase that is not there</a>.
        </p>
      )}
      <p className="button-row">
        <a className="button is-quiet" href="/money/claims/new">
          Claim a purchase
        </a>
        <a className="button is-quiet" href="/money/claims">
          {open === 0 ? "Your claims" : open === 1 ? "1 claim under way" : `${open} claims under way`}
        </a>
      </p>
    </Panel>
  );
}

function FriendsPanel({ friends }: { friends: FriendsPanelView }) {
  if (!friends.programme && !friends.welcome && friends.joined === 0) return null;
  return (
    <Panel title="Friends">
      <FriendsText friends={friends} />
      <p className="button-row">
        <a className="button is-quiet" href="/money/friends">
          {friends.programme ? "Invite a friend" : "See your bonuses"}
        </a>
      </p>
    </Panel>
  );
}

function WalletPanel({ wallet: { cards, leftPence, making } }: { wallet: WalletView }) {
  return (
    <Panel title="Gift cards">
      <p>
        {cards > 0 ? (
          <>
            <b>
              {formatPence(leftPence)} on {cards === 1 ? "one card" : `${cards} cards`}.
            </b>{" "}
            Codes, what is left, and until when.
          </>
        ) : making > 0 ? (
          "A card of yours is being made. We write to you when it is here."
        ) : (
          "Cards that you buy are kept here, encrypted, with what is left on them. You can give them to friends."
        )}
      </p>
      <p className="button-row">
        <a className="button is-quiet" href="/money/gift-cards">
          Your gift cards
        </a>
      </p>
    </Panel>
  );
}
