import type { ClaimRecord } from "@farthing/core/claims/find-record.server.ts";
import type { ClaimState } from "@farthing/core/claims/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Notice } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { ClaimStateBadge } from "./claim-list.tsx";

/** The files, shown beside the facts; a PDF needs a browser that shows one, so each can also be opened. */
export function ClaimEvidence({ path, files }: { path: string; files: ClaimRecord["files"] }) {
  return (
    <section className="panel" aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      {files.length === 0 && <p className="soft">No file, or none that is kept any more.</p>}
      {files.map(({ publicId, originalName, mediaType, size }) => {
        const href = `${path}/files/${publicId}`;
        return (
          <figure key={publicId} className="file-view">
            <figcaption>
              <a href={href} target="_blank" rel="noreferrer">
                {originalName}
              </a>{" "}
              <span className="soft">{Math.ceil(size / 1024)} kB, opens in a new tab</span>
            </figcaption>
            {mediaType.startsWith("image/") ? (
              <img src={href} alt={`Evidence: ${originalName}`} />
            ) : (
              <iframe src={href} title={`Evidence: ${originalName}`} />
            )}
          </figure>
        );
      })}
    </section>
  );
}

export function ClaimPurchases({ claim: { purchases } }: { claim: ClaimRecord }) {
  return (
    <section className="panel" aria-labelledby="purchases">
      <h2 id="purchases">What tracked to this visit</h2>
      {purchases.length === 0 ? (
        <p className="soft">Nothing has tracked to it.</p>
      ) : (
        <div className="table-scroll" tabIndex={0} role="region" aria-labelledby="purchases">
          <table>
            <thead>
              <tr>
                <th scope="col">Bought</th>
                <th scope="col">Order</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Sale
                </th>
                <th scope="col" className="number">
                  Cashback
                </th>
              </tr>
            </thead>
            <tbody>
              {purchases.map((purchase) => (
                <tr key={purchase.id}>
                  <td>
                    <Moment at={purchase.purchasedAt} />
                  </td>
                  <td className="id">{purchase.orderReference ?? "–"}</td>
                  <td>
                    {purchase.state}
                    {purchase.reason && ` (${purchase.reason.replaceAll("_", " ")})`}
                    {purchase.isSubject && <strong> – the claim is about this one</strong>}
                  </td>
                  <td className="number">
                    <Amount pence={purchase.salePence} />
                  </td>
                  <td className="number">
                    <Amount pence={purchase.cashbackPence} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export function ClaimRivals({ claim: { rivalClaims } }: { claim: ClaimRecord }) {
  if (rivalClaims.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>Others claim the same order. Look at the evidence of each before anything is filed:</p>
      <ul>
        {rivalClaims.map(({ publicId, state, memberNumber, madeAt }) => (
          <li key={publicId}>
            <a href={`/admin/claims/${publicId}`}>{publicId}</a> of member {memberNumber}, {state}, made{" "}
            <Moment at={madeAt} isDay />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export function ClaimHistory({ changes }: { changes: ClaimRecord["changes"] }) {
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">What happened</h2>
      <ol className="timeline">
        {changes.map(({ state, madeBy, note, changedAt }, index) => (
          <li key={`${changedAt.toISOString()} ${index}`}>
            <Moment at={changedAt} /> <ClaimStateBadge state={state as ClaimState} /> by {madeBy}
            {note && <p>{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
