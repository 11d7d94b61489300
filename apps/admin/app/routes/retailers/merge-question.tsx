import type { MergePreview } from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import type { ReactNode } from "react";
import { Confirm } from "../../kit/confirm.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

const NOTHING = "Nothing to move.";

/** "1 offer", "2 offers". */
const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;

/** What a merge will do, of what kind and how many, and the question whether to do it. */
export function MergeQuestion({
  merge,
  typed,
  faults,
  path,
}: {
  merge: MergePreview;
  typed: Typed | undefined;
  faults: Faults | undefined;
  path: string;
}) {
  const { from, into } = merge;
  return (
    <Confirm
      title={`Merge ${from.name} into ${into.name}?`}
      what={
        <div className="stack">
          <p>
            <strong>This can’t be undone.</strong> The record at <span className="id">/retailers/{from.slug}</span>{" "}
            closes, and its address leads to <span className="id">/retailers/{into.slug}</span> for good. Texts, state
            and terms stay those of {into.name}.
          </p>
          <div className="table-scroll" tabIndex={0} role="region" aria-label="What the merge does">
            <table className="rows">
              <caption className="away">What the merge does</caption>
              <thead>
                <tr>
                  <th scope="col">Of {from.name}</th>
                  <th scope="col">How many</th>
                  <th scope="col">What happens</th>
                </tr>
              </thead>
              <tbody>
                {rowsOf(merge).map(([what, number, happens]) => (
                  <tr key={what}>
                    <th scope="row">{what}</th>
                    <td>{number}</td>
                    <td>{happens}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      }
      button={`Merge into ${into.name}`}
      keep={[
        ["into", into.slug],
        // A form without a reason keeps what its question was about; any other fault asks anew.
        ["seen", (faults?.["form"] ? undefined : typed?.["seen"]) ?? merge.seen],
      ]}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

function rowsOf(merge: MergePreview): [what: string, number: ReactNode, happens: ReactNode][] {
  const { from, into, offers, pools, giftCards, favourites, alerts, links, hasClaimRule, claims, clicks } = merge;
  const programmes = from.programmes.map(({ network, number }) => `${network} ${number}`);
  return [
    [
      "Offers",
      `${offers.live} published, ${offers.withdrawn} withdrawn`,
      `They become offers of ${into.name}, with their codes and addresses.`,
    ],
    [
      "Pools of codes",
      `${count(pools.pools, "pool")}, ${count(pools.codes, "code")}`,
      pools.pools === 0 ? NOTHING : "They stay with their offers.",
    ],
    [
      "Programmes and rates",
      programmes.length > 0 ? `${programmes.length}: ${programmes.join(", ")}` : "none",
      links
        ? `They become programmes of ${into.name}, and their imports feed it. ${links.network} ${links.number} builds the links and says what is paid.`
        : "Neither is at a network.",
    ],
    [
      "Favourites",
      count(favourites.all, "member"),
      favourites.all === 0
        ? NOTHING
        : `They have ${into.name} as a favourite; ${count(favourites.atBoth, "member")} who ${favourites.atBoth === 1 ? "has" : "have"} both keep one.`,
    ],
    [
      "Rate alerts",
      count(alerts.all, "member"),
      alerts.all === 0
        ? NOTHING
        : `They are told of ${into.name}; ${count(alerts.atBoth, "member")} with an alert at both keep the one there.`,
    ],
    [
      "Categories",
      merge.categories.join(", ") || "no further ones",
      merge.categories.length === 0 ? NOTHING : `${into.name} is filed under them too.`,
    ],
    [
      "Brands",
      merge.brands.join(", ") || "no further ones",
      merge.brands.length === 0 ? NOTHING : `They show ${into.name} from now on.`,
    ],
    ["Gift cards", count(giftCards, "product"), giftCards === 0 ? NOTHING : `They are spent at ${into.name}.`],
    [
      "Rule of claims",
      hasClaimRule.from ? "1" : "none",
      !hasClaimRule.from
        ? NOTHING
        : hasClaimRule.into
          ? `That of ${into.name} stays; this one is dropped.`
          : `${into.name} takes it over.`,
    ],
    [
      "Claims",
      `${claims.open} under way, ${claims.over} over`,
      "They go on, under the name that the member knows. The same order can’t be claimed at both.",
    ],
    [
      "Visits and purchases",
      `${clicks.isEstimate ? "about " : ""}${count(clicks.count, "visit")}, ${count(merge.purchases, "purchase")} of a year`,
      "They keep the name that receipts show. Sales that are reported later are credited, and its figures count both.",
    ],
  ];
}
