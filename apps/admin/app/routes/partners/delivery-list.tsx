import type { DeliveryState } from "@farthing/core/partners/delivery-states.ts";
import type { ListedDelivery } from "@farthing/core/partners/operator-records.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const tones: Record<DeliveryState, Tone> = { waiting: "warn", delivered: "good", "given-up": "bad" };
const stateWords = (state: DeliveryState) => state.replace("-", " ");

/** The deliveries of one webhook as a list. */
export function deliveryListing({
  path,
  states,
  mayReplay,
}: {
  path: `/admin/partners/${string}`;
  states: readonly DeliveryState[];
  mayReplay: boolean;
}): List<ListedDelivery, "time"> {
  return {
    name: "deliveries",
    path,
    csvPath: `${path}/deliveries.csv`,
    rows: "deliveries",
    sorts: ["time"],
    defaultSort: "-time",
    keyOf: ({ id }) => id,
    nameOf: ({ kind, eventId }) => `${kind} ${eventId}`,
    filters: [
      {
        name: "state",
        label: "State",
        kind: "choice",
        choices: states.map((value) => ({ value, label: stateWords(value) })),
      },
      { name: "event", label: "Event", kind: "text", placeholder: "Its id" },
    ],
    ...(mayReplay ? { bulk: [{ name: "replay", label: "Send again …" }] } : {}),
    columns: [
      {
        key: "time",
        label: "Made",
        sort: "time",
        cell: ({ createdAt }) => <Moment at={createdAt} />,
        csv: ({ createdAt }) => createdAt,
      },
      { key: "kind", label: "Event", cell: ({ kind }) => <code>{kind}</code>, csv: ({ kind }) => kind },
      {
        key: "event",
        label: "Its id",
        cell: ({ eventId }) => <span className="id">{eventId}</span>,
        csv: ({ eventId }) => eventId,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state }) => <Badge tone={tones[state]}>{stateWords(state)}</Badge>,
        csv: ({ state }) => state,
      },
      {
        key: "attempts",
        label: "Attempts",
        isNumber: true,
        cell: ({ attempts }) => attempts,
        csv: ({ attempts }) => attempts,
      },
      {
        key: "answer",
        label: "Last answer",
        cell: ({ lastStatus, lastError }) => lastStatus ?? lastError ?? "none yet",
        csv: ({ lastStatus, lastError }) => lastStatus ?? lastError,
      },
      {
        key: "delivered",
        label: "Delivered",
        cell: ({ deliveredAt }) => <Moment at={deliveredAt} />,
        csv: ({ deliveredAt }) => deliveredAt,
      },
    ],
  };
}
