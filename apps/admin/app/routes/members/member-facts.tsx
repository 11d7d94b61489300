import { longDate } from "@farthing/core/mails/long-date.ts";
import type { MemberRecord } from "@farthing/core/members/member-record.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";

const accounts: Record<string, string> = {
  member_tracked: "Tracked",
  member_confirmed: "Confirmed",
  member_payable: "Payable",
  member_in_transit: "On its way to the bank",
  member_paid: "Paid out",
};

/** Who the member is, and what they have. */
export function MemberFacts({
  member,
  balances,
  maySeeMoney,
}: {
  member: MemberRecord;
  balances: Record<string, number>;
  maySeeMoney: boolean;
}) {
  return (
    <>
      <section className="panel" aria-labelledby="who">
        <h2 id="who">Who they are</h2>
        <Facts
          facts={[
            { label: "E-mail", value: `${member.email}${member.isEmailConfirmed ? "" : " (not confirmed)"}` },
            ...(member.otherEmails.length > 0
              ? [{ label: "Other addresses", value: member.otherEmails.join(", ") }]
              : []),
            { label: "Number", value: <span className="id">{member.number}</span> },
            { label: "Brand", value: member.brand },
            { label: "Type", value: [member.type, member.status].filter(Boolean).join(", ") || "not given" },
            { label: "Born", value: member.dateOfBirth ? longDate(member.dateOfBirth) : "not given" },
            { label: "Joined", value: <Moment at={member.joinedAt} /> },
            { label: "Verified until", value: <Moment at={member.verifiedUntil} isDay /> },
            ...(member.suspendedAt ? [{ label: "Suspended", value: <Moment at={member.suspendedAt} /> }] : []),
            { label: "Signed in", value: `on ${member.sessions} ${member.sessions === 1 ? "device" : "devices"}` },
            {
              label: "Protected by",
              value:
                [member.hasSecondFactor && "two-step sign-in", member.passkeys > 0 && `${member.passkeys} passkeys`]
                  .filter(Boolean)
                  .join(", ") || "a password only",
            },
          ]}
        />
        <p className="acts">
          <a href={`/admin/members/${member.id}/codes`}>Codes</a>
        </p>
      </section>
      <section className="panel" aria-labelledby="balances">
        <h2 id="balances">Cashback</h2>
        <Facts
          facts={Object.entries(balances).map(([kind, pence]) => ({
            label: accounts[kind] ?? kind,
            value: <Amount pence={pence} />,
          }))}
        />
        {maySeeMoney && (
          <p className="acts">
            <a href={`/admin/ledger/members/${member.id}`}>Ledger</a>
            <a href={`/admin/payouts?q=${member.number}`}>Payouts</a>
            <a href={`/admin/payouts/holds?state=all&q=${member.number}`}>Holds</a>
            <a href={`/admin/members/${member.id}/goodwill`}>Goodwill</a>
          </p>
        )}
      </section>
    </>
  );
}
