import type { ShareEffect } from "@farthing/core/catalogue-imports/member-share.server.ts";
import { formatPence, formatRate } from "@farthing/core/money/money.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { counted } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

/** Says how members' rates change with a network's share, and asks whether to set it. */
export function ShareQuestion({
  name,
  from,
  share,
  rises,
  falls,
  same,
  toNothing,
  examples,
  boosts,
  typed,
  faults,
  path,
}: ShareEffect & {
  name: string;
  from: number;
  share: number;
  boosts: number;
  typed: Typed;
  faults: Faults | undefined;
  path: string;
}) {
  return (
    <Confirm
      title={`Change members’ share of ${name} from ${formatRate(from)} to ${formatRate(share)}?`}
      what={
        <div className="stack">
          <p>
            {counted(rises, "rate")} {rises === 1 ? "rises" : "rise"}, {falls} {falls === 1 ? "falls" : "fall"}, {same}{" "}
            {same === 1 ? "stays" : "stay"} as {same === 1 ? "it is" : "they are"}.
          </p>
          {toNothing > 0 && (
            <p>
              <strong>{counted(toNothing, "rate")}</strong> of those that fall {toNothing === 1 ? "becomes" : "become"}{" "}
              0%: members get no cashback.
            </p>
          )}
          {examples.length > 0 && (
            <ul>
              {examples.map((example) => (
                <li key={example.retailer}>
                  {example.retailer}: {amount(example.kind, example.from)} becomes {amount(example.kind, example.to)}
                </li>
              ))}
            </ul>
          )}
          <p>
            Clicks made before keep the rate that they were promised. Caps and boosts, which the club sets by hand, stay
            as they are
            {boosts > 0 &&
              `: ${counted(boosts, "boost")} ${boosts === 1 ? "has" : "have"} not ended, and a boost below the new rate has no effect`}
            .{rises > 0 && " Members who asked to be told of a higher rate get a mail."}
          </p>
        </div>
      }
      button="Change it"
      keep={[
        ["share", typed["share"] ?? ""],
        ["version", typed["version"] ?? ""],
      ]}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

const amount = (kind: "percent" | "fixed", value: number) =>
  kind === "percent" ? formatRate(value) : formatPence(value);
