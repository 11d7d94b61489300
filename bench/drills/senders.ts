import { randomUUID } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Count, Sender } from "./load.ts";

/** Clicks on the default brand's offers: a redirect to the network is the acknowledgement. */
export async function clicks(db: Db): Promise<Sender> {
  const { rows: offers } = await sql<{ publicId: string }>`
    select o.public_id as "publicId" from brands b, live_offers(b.id, now()) o where b.is_default order by 1 limit 20`.execute(
    db,
  );
  const countAll = async (from: Db) =>
    (await sql<{ count: number }>`select count(*) from clicks`.execute(from)).rows[0]!.count;
  const before = await countAll(db);
  const acknowledged = new Set<string>();
  let sent = 0;
  return {
    name: "clicks",
    next(turn) {
      sent += 1;
      return {
        path: `/go/offers/${offers[turn % offers.length]!.publicId}`,
        heard({ location }) {
          const reference = location && URL.parse(location)?.searchParams.get("clickref");
          if (reference) acknowledged.add(reference);
        },
      };
    },
    async count(atEnd) {
      const { rows } = await sql<{ key: string }>`select reference as key from clicks`.execute(atEnd);
      return comparedClicks({ acknowledged, stored: rows.map(({ key }) => key), before, sent });
    },
  };
}

/**
 * Compares acknowledged clicks with those in the database. A reference is there once, by the table's own rule: a click that was stored twice has two. So
 * no more may have been stored than were asked for, whether they were answered or not.
 */
export function comparedClicks({
  acknowledged,
  stored,
  before,
  sent,
}: {
  acknowledged: ReadonlySet<string>;
  stored: readonly string[];
  /** How many were there before the load. */
  before: number;
  /** How many were asked for. */
  sent: number;
}): Count {
  return {
    ...compared(
      acknowledged,
      stored.map((key) => ({ key, times: 1 })),
    ),
    doubled: Math.max(0, stored.length - before - sent),
  };
}

/** Pages of members and visitors that bypass the page cache. */
export const pages: Sender = {
  name: "pages",
  next: (turn) => ({
    path: ["/profile", `/search?q=drill-${turn}`, "/favourites", `/api/suggestions?q=b${turn % 100}`][turn % 4]!,
  }),
  count: null,
};

/**
 * Telemetry events. Half have an eventId and are sent again until they are acknowledged; the others are a browser's, sent once. With
 * `isReplayed`, all have one: a proxy before the applications sends again what it can't know to have been stored. Needs TRUST_PROXY=loopback: each states another visitor's address, as a proxy does.
 */
export function telemetry({ isReplayed = false } = {}): Sender {
  const acknowledged = new Set<string>();
  const again: string[] = [];
  return {
    name: "telemetry events",
    next(turn) {
      const session = again.shift() ?? randomUUID();
      const isSentAgain = isReplayed || session.charCodeAt(0) % 2 === 0;
      return {
        ...{ method: "POST", path: "/api/Telemetry" },
        headers: {
          "content-type": "text/plain",
          "x-forwarded-for": `10.${Math.floor(turn / 250) % 250}.${turn % 250}.1`,
        },
        body: JSON.stringify({
          ...{ userId: null, sessionId: session, affinityId: "drill", eventType: "OfferRedeemed" },
          additionalFields: { OfferId: "o1" },
          ...(isSentAgain && { eventId: session }),
        }),
        heard({ status }) {
          if (status === 204) acknowledged.add(session);
          else if (isSentAgain) again.push(session);
        },
      };
    },
    async count(db) {
      const { rows } = await sql<{ key: string; times: number }>`
        select session_id as key, count(*) as times from telemetry_events group by 1`.execute(db);
      return compared(acknowledged, rows);
    },
  };
}

/** Compares keys that were acknowledged with those in the database and how often each is there. */
export function compared(acknowledged: ReadonlySet<string>, rows: readonly { key: string; times: number }[]): Count {
  const stored = new Set(rows.map(({ key }) => key));
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((key) => !stored.has(key)).length,
    doubled: rows.filter(({ times }) => times > 1).length,
  };
}
