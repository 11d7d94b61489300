import { findTransfer, type TransferCause } from "@farthing/core/ledger/browse.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Facts } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { AccountLink, kindText } from "./account-name.tsx";
import type { Route } from "./+types/transfer-page";

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const transfer = await findTransfer(db, { id });
  if (!transfer) throw refused(404, { title: "No such transfer", text: "The ledger has no transfer at this address." });
  return transfer;
}

function causePath(cause: TransferCause): { path: string; label: string } {
  switch (cause.kind) {
    case "payout":
      return { path: `/admin/payouts/${cause.publicId}`, label: "The payout" };
    case "payment":
      return { path: `/admin/payments/${cause.publicId}`, label: "The card payment" };
    case "click":
      return { path: `/admin/ledger/clicks/${cause.clickId}`, label: "From the click to the payout" };
    case "member":
      return { path: `/admin/members/${cause.memberId}`, label: "The member" };
  }
}

export default function TransferPage({ loaderData: transfer }: Route.ComponentProps) {
  const cause = transfer.cause && causePath(transfer.cause);
  return (
    <>
      <PageHead title={`Transfer: ${kindText(transfer.kind)}`} crumbs={[{ label: "Ledger", href: "/admin/ledger" }]} />
      <section className="panel" aria-label="The transfer">
        <Facts
          facts={[
            { label: "Happened", value: <Moment at={transfer.happenedAt} /> },
            { label: "Posted", value: <Moment at={transfer.recordedAt} /> },
            {
              label: "Posted for",
              value: (
                <>
                  {kindText(transfer.causeKind)} <span className="id">{transfer.causeId}</span>
                </>
              ),
            },
            ...(cause ? [{ label: "Trace", value: <a href={cause.path}>{cause.label}</a> }] : []),
            { label: "Key", value: <span className="id">{transfer.key}</span> },
            { label: "Id", value: <span className="id">{transfer.id}</span> },
          ]}
        />
      </section>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of its entries">
        <table className="rows">
          <caption className="away">The entries of the transfer; they sum to zero</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" className="number">
                Out
              </th>
              <th scope="col" className="number">
                In
              </th>
            </tr>
          </thead>
          <tbody>
            {transfer.entries.map(({ account, amountPence }) => (
              <tr key={account.id}>
                <td>
                  <AccountLink account={account} />
                </td>
                <td className="number">{amountPence < 0 && <Amount pence={-amountPence} />}</td>
                <td className="number">{amountPence > 0 && <Amount pence={amountPence} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
