import { HELD_REASONS, type HeldReason } from "@farthing/core/networks/held-reasons.ts";
import { countHeldTransactions } from "@farthing/core/networks/held-transactions.server.ts";
import { findNetworkHealth, findReadUntil, type NetworkHealth } from "@farthing/core/networks/queries.server.ts";
import type { ReadUntil } from "@farthing/core/networks/read-until.ts";
import { countWaitingCorrections } from "@farthing/core/networks/rows.server.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { hoursInWords } from "@farthing/core/thresholds/rules.ts";
import { servicesContext } from "../../admin-context.ts";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { ageText, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/network-list-page";

/** Days of clicks whose checks are counted. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const [networks, read, held, corrections, values] = await Promise.all([
    findNetworkHealth(db, { since: new Date(now.getTime() - DAYS * DAY_MS) }),
    findReadUntil(db),
    countHeldTransactions(db),
    countWaitingCorrections(db),
    findThresholds(db),
  ]);
  return {
    networks: networks.map((network) => ({ ...network, read: read.get(network.slug) ?? null })),
    held,
    corrections,
    now,
    silentHours: values["network-silent-hours"],
  };
}

export default function NetworkListPage({ loaderData }: Route.ComponentProps) {
  const { networks, held, corrections, now, silentHours } = loaderData;
  const isBehind = (read: ReadUntil | null) =>
    read !== null && now.getTime() - read.until.getTime() > silentHours * HOUR_MS;
  const behind = networks.filter(({ read }) => isBehind(read));
  return (
    <>
      <PageHead
        title="Networks"
        intro="How far each network’s report was read, what browsers did before clicks, and sales that match no member."
      >
        <a href="/admin/networks/report-file">Report from a file</a>{" "}
        <a href="/admin/networks/exchange-rates">Exchange rates</a>
      </PageHead>
      {behind.length > 0 && (
        <Notice tone="bad">
          A report was not read for {hoursInWords(silentHours)}: {behind.map(({ name }) => name).join(", ")}.
        </Notice>
      )}
      <section className="panel" aria-labelledby="held">
        <h2 id="held">Unmatched sales</h2>
        {held.length === 0 && <p className="soft">Every reported sale has its member.</p>}
        <ul className="plain-list">
          {held.map(({ reason, count, oldest }) => (
            <li key={reason}>
              <a href={`/admin/networks/held?reason=${reason}`}>
                {count} because {HELD_REASONS[reason as HeldReason] ?? reason}
              </a>
              , the oldest from <Moment at={oldest} isDay />
            </li>
          ))}
        </ul>
        {corrections > 0 && <p>{corrections} corrections wait for the sale that they correct.</p>}
      </section>
      {networks.length === 0 && <p className="empty">No network is known yet.</p>}
      <div className="panels">
        {networks.map(({ slug, name, passes, preFlight, read }) => (
          <section key={slug} className="panel" aria-labelledby={`network-${slug}`}>
            <h2 id={`network-${slug}`}>
              <a href={`/admin/networks/${slug}`}>{name}</a>
            </h2>
            <p>
              <ReadBadge read={read} passes={passes} isBehind={isBehind(read)} now={now} />
            </p>
            <Facts
              facts={[
                ...passes.flatMap(({ pass, coveredUntil, error, lateError }) => [
                  {
                    label: pass,
                    value: (
                      <>
                        read up to <Moment at={coveredUntil} />
                        {error && <p className="field-fault">{error}</p>}
                        {lateError && <p className="field-fault">Late sales: {lateError}</p>}
                      </>
                    ),
                  },
                ]),
                {
                  label: `Clicks, ${DAYS} days`,
                  value:
                    Object.entries(preFlight)
                      .filter(([, count]) => count > 0)
                      .map(([finding, count]) => `${count} ${finding.replaceAll("_", " ")}`)
                      .join(", ") || "none",
                },
              ]}
            />
          </section>
        ))}
      </div>
    </>
  );
}

/** How a network's reports do: by the one that is furthest behind, and by what failed the last time. */
function ReadBadge({
  read,
  passes,
  isBehind,
  now,
}: {
  read: ReadUntil | null;
  passes: NetworkHealth["passes"];
  isBehind: boolean;
  now: Date;
}) {
  if (read === null) return <Badge>never read</Badge>;
  if (isBehind) return <Badge tone="bad">not read for {ageText(read.until, now)}</Badge>;
  if (passes.some(({ error, lateError }) => error ?? lateError)) return <Badge tone="bad">last reading failed</Badge>;
  if (!read.isRead) return <Badge>not read yet</Badge>;
  return <Badge tone="good">read up to {ageText(read.until, now)} ago</Badge>;
}
