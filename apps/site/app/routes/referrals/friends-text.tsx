import { formatPence } from "@farthing/core/money/money.ts";
import type { FriendsPanelView } from "@farthing/core/referrals/queries.server.ts";
import { offerInWords } from "@farthing/core/invitations/terms.ts";

/** What the money page says of bonuses: what is waiting or earned, and otherwise what is on offer. */
export function FriendsText({
  friends: { programme, welcome, joined, earnedPence, confirmedPence },
}: {
  friends: FriendsPanelView;
}) {
  const isWelcomeWaiting = welcome?.state === "invited" || welcome?.state === "qualifying";
  return (
    <>
      {isWelcomeWaiting && (
        <p>
          <b>Your welcome bonus of {formatPence(welcome.amountPence)} waits</b> for a purchase that counts.
        </p>
      )}
      {joined > 0 ? (
        <p>
          {joined === 1 ? "One friend has joined" : `${joined} friends have joined`} through your link. You have earned{" "}
          {formatPence(earnedPence)}
          {confirmedPence > 0 && `, and ${formatPence(confirmedPence)} is confirmed`}.
        </p>
      ) : (
        programme && <p>Invite somebody you know. {offerInWords(programme)} Terms apply; they are on the page.</p>
      )}
    </>
  );
}
