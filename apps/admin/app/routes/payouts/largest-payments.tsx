import type { BatchRecord } from "@farthing/core/payouts/list-batches.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Fragment } from "react";

/** The largest payments of a batch, with the members who share an account. */
export function LargestPayments({ batch, maySeeMembers }: { batch: BatchRecord; maySeeMembers: boolean }) {
  return (
    <section className="narrow-gap" aria-labelledby="largest">
      <h2 id="largest">The largest payments</h2>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of the largest payments">
        <table>
          <thead>
            <tr>
              <th scope="col">Payout</th>
              <th scope="col">Member</th>
              <th scope="col">Brand</th>
              <th scope="col" className="number">
                Amount
              </th>
              <th scope="col" className="sentences">
                Look at
              </th>
            </tr>
          </thead>
          <tbody>
            {batch.largest.map(({ publicId, reference, memberId, memberNumber, brand, pence, isFirst, sharedWith }) => (
              <tr key={publicId}>
                <td>
                  <a href={`/admin/payouts/${publicId}`} className="id">
                    {reference}
                  </a>
                </td>
                <td>
                  <MemberNumber memberId={memberId} memberNumber={memberNumber} isLink={maySeeMembers} />
                </td>
                <td>{brand}</td>
                <td className="number">
                  <Amount pence={pence} />
                </td>
                <td>
                  {!isFirst && sharedWith.length === 0 && "–"}
                  {isFirst && "the member’s first payout"}
                  {isFirst && sharedWith.length > 0 && "; "}
                  {sharedWith.length > 0 && "same account as "}
                  {sharedWith.map((other, index) => (
                    <Fragment key={other.memberId}>
                      {index > 0 && ", "}
                      <MemberNumber {...other} isLink={maySeeMembers} />
                    </Fragment>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function MemberNumber({ memberId, memberNumber, isLink }: { memberId: string; memberNumber: string; isLink: boolean }) {
  return isLink ? (
    <a href={`/admin/members/${memberId}`} className="id">
      {memberNumber}
    </a>
  ) : (
    <span className="id">{memberNumber}</span>
  );
}
