import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { DayCount, OfferCount, ReportRange, TelemetryReader, TermCount } from "@farthing/core/telemetry/reader.ts";
import { REMOVED_TERM } from "@farthing/core/telemetry/rules.ts";
import type { ExportBatch, StoredEvent, TelemetrySink } from "@farthing/core/telemetry/sink.ts";
import { refuseOtherProtocols } from "../refuse-other-protocols.ts";

/** A copy of the events in ClickHouse, and the reports' way to read it. */
export interface ClickhouseSink extends TelemetrySink, TelemetryReader {
  close(): Promise<void>;
}

/** How long ClickHouse may work on a batch, in seconds: shorter than the exporter's lease, so that a batch which was given up can't land later. */
const WRITE_SECONDS = 60;

/**
 * Opens the copy at `url`: http(s)://user:password@host:port/database. Works with ClickHouse 18.16 (Debian's) and later: statements hold their values,
 * because old servers have no query parameters.
 *
 * An insert of one block is atomic per partition, and a day is a partition, so a batch may arrive in part. Each row has the number of its batch. A
 * batch that is sent again is compared with what is there, and after a resend the partitions are merged, which leaves each id once
 * (ReplacingMergeTree): reading needs no FINAL.
 */
export function clickhouseSink({ url }: { url: string }): ClickhouseSink {
  const { origin, username, password, pathname } = new URL(url);
  refuseOtherProtocols();
  const client = createClient({
    url: origin,
    username: decodeURIComponent(username) || "default",
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || "default",
    request_timeout: (WRITE_SECONDS + 5) * 1_000,
    log: { level: ClickHouseLogLevel.OFF }, // errors reach the job, which logs them
  });
  const command = async (query: string) => {
    await client.command({ query });
  };

  async function read<Row>(query: string): Promise<Row[]> {
    const answer = await client.query({ query, format: "JSONEachRow" });
    return answer.json<Row>();
  }

  async function write({ number, events }: ExportBatch): Promise<void> {
    const [present] = await read<{ count: string }>(
      `select count() as count from telemetry_events where batch = ${whole(number)}`,
    );
    const count = Number(present?.count ?? 0);
    if (count === events.length) return; // it arrived, and nobody heard of it
    await client.insert({
      table: "telemetry_events",
      values: events.map((event) => toRow(event, number)),
      format: "JSONEachRow",
      clickhouse_settings: { max_execution_time: WRITE_SECONDS },
    });
    if (count === 0) return;
    for (const day of new Set(events.map(({ receivedOn }) => receivedOn)))
      await command(`optimize table telemetry_events partition '${dayText(day)}' final`);
  }

  return {
    name: "clickhouse",
    open: () => command(CREATE),
    write,
    async erase(userIds) {
      await command(`alter table telemetry_events delete where user_id in (${userIds.map(text).join(", ")})`);
    },
    async dropBefore(before) {
      const days = await read<{ partition: string }>(
        `select distinct partition from system.parts where active and database = currentDatabase() and table = 'telemetry_events'`,
      );
      for (const { partition } of days) {
        const day = partition.replaceAll("'", "");
        if (day < before) await command(`alter table telemetry_events drop partition '${dayText(day)}'`);
      }
    },
    async countByDay(range) {
      const rows = await read<DayCount & { events: string }>(`
        select toString(brand_id) as brandId, toString(london_day) as day, event_type as eventType, count() as events from telemetry_events
        where ${within(range)} group by brandId, day, eventType order by brandId, day, eventType`);
      return rows.map((row) => ({ ...row, events: Number(row.events) }));
    },
    async countByOffer(range, { max, offers }) {
      const rows = await read<OfferCount & { views: string; redemptions: string }>(`
        select toString(brand_id) as brandId, subject as offer, sum(event_type = 'OfferPage') as views, sum(event_type = 'OfferRedeemed') as redemptions
        from telemetry_events where event_type in ('OfferPage', 'OfferRedeemed') and ${within(range)} and ${among("subject", offers)}
        group by brandId, offer order by views desc, redemptions desc, offer, brandId limit ${whole(max)}`);
      return rows.map((row) => ({ ...row, views: Number(row.views), redemptions: Number(row.redemptions) }));
    },
    async countByTerm(range, { max, terms }) {
      const rows = await read<TermCount & { searches: string }>(`
        select toString(brand_id) as brandId, lowerUTF8(subject) as term, count() as searches from telemetry_events
        where event_type = 'SearchPage' and subject not in ('', ${text(REMOVED_TERM)}) and ${within(range)} and ${among("lowerUTF8(subject)", terms)}
        group by brandId, term order by searches desc, term, brandId limit ${whole(max)}`);
      return rows.map((row) => ({ ...row, searches: Number(row.searches) }));
    },
    close: () => client.close(),
  };
}

const CREATE = `
  create table if not exists telemetry_events (
    id UUID, batch UInt64, received_on Date, london_day Date, received_ms UInt64, brand_id UUID, event_type String, user_id Nullable(String),
    session_id String, affinity_id String, subject String, page_loaded_ms Nullable(UInt64), extra_fields Nullable(String)
  ) engine = ReplacingMergeTree partition by received_on order by (brand_id, event_type, london_day, id)`;

function toRow(event: StoredEvent, batch: number) {
  return {
    ...{
      id: event.id,
      batch,
      received_on: event.receivedOn,
      london_day: event.day,
      received_ms: Math.round(event.receivedAt),
    },
    ...{ brand_id: event.brandId, event_type: event.eventType, user_id: event.userId, session_id: event.sessionId },
    ...{ affinity_id: event.affinityId, subject: event.subject, extra_fields: event.extraFields },
    page_loaded_ms: event.pageLoadedAt === null ? null : Math.round(event.pageLoadedAt),
  };
}

function within({ brandId, from, to }: ReportRange): string {
  const ofBrand = brandId === null ? "1" : `brand_id = ${text(brandId)}`;
  return `london_day >= toDate('${dayText(from)}') and london_day <= toDate('${dayText(to)}') and ${ofBrand}`;
}

function among(column: string, values: readonly string[] | undefined): string {
  if (!values) return "1";
  return values.length === 0 ? "0" : `${column} in (${values.map(text).join(", ")})`;
}

/** A string literal: backslash and quote are the only characters that end or change one. */
function text(value: string): string {
  return `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a whole number`);
  return String(value);
}

function dayText(day: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new RangeError(`${day} is not a day`);
  return day;
}
