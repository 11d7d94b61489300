import { DECLINE_REASONS, isDeclineReason } from "@farthing/core/networks/decline-reason.ts";
import { findClickTrace, type ClickTrace, type TracedEntry } from "@farthing/core/ledger/trace.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { PayoutState } from "@farthing/core/payouts/rules.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Badge, Facts } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { PayoutBadge } from "../payouts/payout-words.tsx";
import { kindText } from "./account-name.tsx";
import type { Route } from "./+types/click-page";

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const click = await findClickTrace(db, { id });
  if (!click) throw refused(404, { title: "No such click", text: "There is no click at this address." });
  return click;
}

export default function ClickPage({ loaderData: click }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={`Click ${click.number}`}
        crumbs={[{ label: "Ledger", href: "/admin/ledger" }]}
        intro="From the click to what was paid, and back."
      />
      <section className="panel" aria-labelledby="click">
        <h2 id="click">The click</h2>
        <Facts
          facts={[
            { label: "When", value: <Moment at={click.clickedAt} /> },
            { label: "Retailer", value: `${click.retailer}, by ${click.network}` },
            {
              label: "Member",
              value: (
                <>
                  <a href={`/admin/ledger/members/${click.memberId}`} className="id">
                    {click.memberNumber}
                  </a>{" "}
                  of {click.brand}
                </>
              ),
            },
            { label: "The network’s reference", value: <span className="id">{click.reference}</span> },
          ]}
        />
      </section>
      {click.sales.length === 0 && <p className="empty">The network has reported no sale of this click.</p>}
      {click.sales.map((sale) => (
        <Sale key={sale.id} sale={sale} />
      ))}
    </>
  );
}

function Sale({ sale }: { sale: ClickTrace["sales"][number] }) {
  const amount = (minor: number) =>
    sale.currency === "GBP" ? <Amount pence={minor} /> : `${minor} ${sale.currency}, in its smallest unit`;
  return (
    <section className="panel" aria-labelledby={`sale-${sale.id}`}>
      <h2 id={`sale-${sale.id}`}>
        Sale {sale.networkTransactionId} <Badge>{sale.status}</Badge>{" "}
        {sale.isPaidToUs ? <Badge tone="good">paid to us</Badge> : <Badge>not paid to us</Badge>}
      </h2>
      <Facts
        facts={[
          { label: "Order", value: sale.orderReference },
          { label: "Bought", value: <Moment at={sale.purchasedAt} /> },
          { label: "Spent", value: amount(sale.saleMinor) },
          { label: "Commission", value: amount(sale.commissionMinor) },
          { label: "Reported", value: sale.revisions === 1 ? "once" : `in ${sale.revisions} versions` },
        ]}
      />
      {sale.entries.length === 0 && <p>Nobody was credited for it.</p>}
      {sale.entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </section>
  );
}

/** What the member reads of it: the reason that the retailer gave, and when the next step is expected. */
function Told({ entry: { reasonCode, expected } }: { entry: TracedEntry }) {
  const step = expected?.awaits === "payment" ? "payment by the network" : "confirmation";
  return (
    <>
      {reasonCode !== null && isDeclineReason(reasonCode) && <p>The member reads: “{DECLINE_REASONS[reasonCode]}”</p>}
      {expected && (
        <p>
          {expected.from === null ? (
            <>No day is known for the {step}.</>
          ) : (
            <>
              The member expects the {step} from <Moment at={expected.from} isDay /> to{" "}
              <Moment at={expected.to} isDay />.
            </>
          )}{" "}
          {expected.overdueSince !== null && (
            <Badge tone="warn">
              late since <Moment at={expected.overdueSince} isDay />
            </Badge>
          )}
        </p>
      )}
    </>
  );
}

function Entry({ entry }: { entry: TracedEntry }) {
  return (
    <div className="narrow-gap">
      <h3>
        {entry.kind === "purchase" ? "Cashback" : "Correction"} <Amount pence={entry.cashbackPence} />{" "}
        <Badge>{entry.state}</Badge>
      </h3>
      <Told entry={entry} />
      <ol className="timeline">
        {entry.changes.map(({ kind, differencePence, transferId, changedAt }) => (
          <li key={`${kind} ${changedAt}`}>
            <Moment at={changedAt} />{" "}
            {transferId ? <a href={`/admin/ledger/transfers/${transferId}`}>{kindText(kind)}</a> : kindText(kind)}
            {differencePence !== 0 && (
              <>
                , <Amount pence={differencePence} />
              </>
            )}
          </li>
        ))}
        {entry.payouts.map(({ publicId, reference, state, amountPence, batchNumber }) => (
          <li key={publicId}>
            Payout{" "}
            <a href={`/admin/payouts/${publicId}`} className="id">
              {reference}
            </a>{" "}
            of <Amount pence={amountPence} /> <PayoutBadge state={state as PayoutState} />
            {batchNumber !== null && (
              <>
                {" "}
                in <a href={`/admin/payouts/batches/${batchNumber}`}>batch {batchNumber}</a>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
