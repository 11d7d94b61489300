import { HELD_REASONS, type HeldReason } from "@farthing/core/networks/held-reasons.ts";
import { findLastHeard } from "@farthing/core/networks/list-held.server.ts";
import { countHeldTransactions } from "@farthing/core/networks/held-transactions.server.ts";
import { findNetworkHealth } from "@farthing/core/networks/queries.server.ts";
import { countWaitingCorrections } from "@farthing/core/networks/rows.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { ageText, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/network-list-page";

/** Days of clicks whose checks are counted. */
const DAYS = 7;
const DAY_MS = 86_400_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const [networks, heard, held, corrections] = await Promise.all([
    findNetworkHealth(db, { since: new Date(now.getTime() - DAYS * DAY_MS) }),
    findLastHeard(db),
    countHeldTransactions(db),
    countWaitingCorrections(db),
  ]);
  return {
    networks: networks.map((network) => ({ ...network, heardAt: heard.get(network.slug) ?? null })),
    held,
    corrections,
    now,
  };
}

export default function NetworkListPage({ loaderData: { networks, held, corrections, now } }: Route.ComponentProps) {
  const silent = networks.filter(({ heardAt }) => heardAt && now.getTime() - heardAt.getTime() > DAY_MS);
  return (
    <>
      <PageHead
        title="Networks"
        intro="How far each network’s report was read, what browsers did before clicks, and sales that are credited to nobody."
      />
      {silent.length > 0 && (
        <Notice tone="bad">Not heard from for a day: {silent.map(({ name }) => name).join(", ")}.</Notice>
      )}
      <section className="panel" aria-labelledby="held">
        <h2 id="held">Sales credited to nobody</h2>
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
        {networks.map(({ slug, name, passes, preFlight, heardAt }) => (
          <section key={slug} className="panel" aria-labelledby={`network-${slug}`}>
            <h2 id={`network-${slug}`}>{name}</h2>
            <p>
              {heardAt === null ? (
                <Badge>never read</Badge>
              ) : now.getTime() - heardAt.getTime() > DAY_MS ? (
                <Badge tone="bad">silent for {ageText(heardAt, now)}</Badge>
              ) : (
                <Badge tone="good">heard {ageText(heardAt, now)} ago</Badge>
              )}
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
