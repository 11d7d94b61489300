import {
  findThresholdFaults,
  listThresholds,
  type ThresholdFault,
  type ThresholdRecord,
} from "@farthing/core/thresholds/queries.server.ts";
import { thresholdOf } from "@farthing/core/thresholds/rules.ts";
import { servicesContext } from "../../admin-context.ts";
import { Badge, Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/threshold-list-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [thresholds, faults] = await Promise.all([listThresholds(db), findThresholdFaults(db)]);
  return { thresholds, faults };
}

const groups = [
  { group: "members", title: "What members see" },
  { group: "operators", title: "What operators are alerted to" },
] as const;

export default function ThresholdListPage({ loaderData: { thresholds, faults } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Thresholds"
        intro="When a code is demoted, when figures are shown, and when home lists something. A change holds at once, in every process."
      />
      <UnusableValues faults={faults} />
      {groups.map(({ group, title }) => (
        <section key={group} className="block" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{title}</h2>
          <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table: ${title}`}>
            <table className="rows">
              <caption className="away">{title}</caption>
              <thead>
                <tr>
                  <th scope="col">Threshold</th>
                  <th scope="col" className="number">
                    Holds now
                  </th>
                  <th scope="col" className="number">
                    Default
                  </th>
                  <th scope="col">Range</th>
                  {group === "members" && <th scope="col">Brands that differ</th>}
                </tr>
              </thead>
              <tbody>
                {thresholds
                  .filter(({ key }) => thresholdOf(key).group === group)
                  .map((record) => (
                    <Row key={record.key} record={record} />
                  ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </>
  );
}

function Row({ record: { key, holds, stored } }: { record: ThresholdRecord }) {
  const { name, does, unit, default: byDefault, min, max, isPerBrand, group } = thresholdOf(key);
  const brands = Object.entries(stored.brands).map(([slug, value]) => `${slug}: ${String(value)}`);
  return (
    <tr>
      <th scope="row">
        <a href={`/admin/thresholds/${key}`}>{name}</a>
        <p className="soft is-light">{does}</p>
      </th>
      <td className="number">
        {holds} {holds !== byDefault && <Badge tone="good">set</Badge>}
      </td>
      <td className="number">{byDefault}</td>
      <td>
        {min} to {max.toLocaleString("en-GB")} {unit}
      </td>
      {group === "members" && (
        <td>{isPerBrand && brands.length > 0 ? brands.join(", ") : <span className="soft">none</span>}</td>
      )}
    </tr>
  );
}

/** Says which stored values no rule uses. Saving the threshold puts them right. */
export function UnusableValues({ faults }: { faults: readonly ThresholdFault[] }) {
  if (faults.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>Something was stored that can’t be used. The next best holds: the club’s value, or the default.</p>
      <ul>
        {faults.map(({ key, brand, found, because }) => (
          <li key={`${key} ${brand ?? ""}`}>
            {key}
            {brand !== null && ` of ${brand}`}: {JSON.stringify(found)}, because {because}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
