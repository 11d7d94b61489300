import type { ListedWork, WorkState } from "@farthing/core/due-work/due-work.server.ts";
import type { BulkAct, List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const states: { value: WorkState; label: string }[] = [
  { value: "failing", label: "Failing" },
  { value: "due", label: "Due now" },
];

/** Which work is listed: what the address says, else what was given up. */
export function stateOf({ state }: Readonly<Record<string, string>>): WorkState {
  return states.find(({ value }) => value === state)?.value ?? "given-up";
}

/** The work of one queue as a list. Only what was given up can be retried or dropped. */
export function workListing({
  queue,
  state,
  may,
}: {
  queue: string;
  state: WorkState;
  may: { retry: boolean; drop: boolean };
}): List<ListedWork, "time"> {
  const bulk: BulkAct[] = [
    ...(may.retry ? [{ name: "retry", label: "Try again …" }] : []),
    ...(may.drop ? [{ name: "drop", label: "Drop …", isDanger: true as const }] : []),
  ];
  return {
    name: `work-${queue.replaceAll("_", "-")}`,
    path: `/admin/background-work/${queue}`,
    csvPath: `/admin/background-work/${queue}/work.csv`,
    rows: "pieces of work",
    sorts: ["time"],
    defaultSort: "time",
    keyOf: ({ id }) => id,
    nameOf: ({ about }) => about,
    filters: [{ name: "state", label: "State", kind: "choice", choices: states, none: "Given up" }],
    bulk: state === "given-up" ? bulk : [],
    columns: [
      {
        key: "about",
        label: "About",
        cell: ({ about, path }) => (path ? <a href={path}>{about}</a> : about),
        csv: ({ about }) => about,
      },
      {
        key: "attempts",
        label: "Attempts",
        isNumber: true,
        cell: ({ attempts }) => attempts,
        csv: ({ attempts }) => attempts,
      },
      {
        key: "error",
        label: "Last error",
        cell: ({ lastError }) => lastError ?? "–",
        csv: ({ lastError }) => lastError,
      },
      ...(state === "given-up"
        ? []
        : [
            {
              key: "due",
              label: "Due",
              sort: "time" as const,
              cell: ({ dueAt }: ListedWork) => <Moment at={dueAt} />,
              csv: ({ dueAt }: ListedWork) => dueAt,
            },
          ]),
      {
        key: "id",
        label: "Id",
        // Ids are in the order of their making.
        ...(state === "given-up" ? { sort: "time" as const } : {}),
        cell: ({ id }) => <span className="id">{id}</span>,
        csv: ({ id }) => id,
      },
    ],
  };
}
