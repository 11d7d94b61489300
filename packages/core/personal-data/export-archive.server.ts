import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { sql, type RawBuilder } from "kysely";
import { openOwnAttachment } from "../attachments/store.server.ts";
import { csvLine } from "./csv.ts";
import { EXPORT_FILES, type ExportFile } from "./export-files.ts";
import { exportIndex } from "./export-index.ts";
import { EXPORTS_PER_DAY } from "./rules.ts";

export interface ExportOwner {
  brand: { id: string; name: string };
  memberId: string;
  memberName: string;
  /** Key that attachments are encrypted with; null: files are left out. */
  attachmentKey: string | null;
  /** Earlier keys. */
  attachmentOldKeys?: readonly string[];
  /** The pseudonyms under which the member's telemetry may be stored (telemetryUserIds). */
  telemetryUsers?: readonly string[];
  now: Date;
}

/**
 * Records that an archive is made. Returns false if the member has had `EXPORTS_PER_DAY` in 24 hours, or has left.
 * Concurrent requests run one after the other.
 */
export async function countExport(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const member = await trx
      .selectFrom("members")
      .select("id")
      .where("id", "=", memberId)
      .where("brand_id", "=", brandId)
      .where("closed_at", "is", null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!member) return false;
    const { made } = await trx
      .selectFrom("data_exports")
      .select(({ fn }) => fn.countAll<number>().as("made"))
      .where("member_id", "=", memberId)
      .where("made_at", ">", new Date(now.getTime() - 24 * 60 * 60 * 1000))
      .executeTakeFirstOrThrow();
    if (Number(made) >= EXPORTS_PER_DAY) return false;
    await trx
      .insertInto("data_exports")
      .values({ id: newId(), brand_id: brandId, member_id: memberId, made_at: now })
      .execute();
    return true;
  });
}

const ROWS_AT_A_TIME = 500;
const utf8 = new TextEncoder();
type Row = Record<string, unknown>;
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns all data of a member as a zip (M5): JSON for programs and CSV for people, their uploaded files while they
 * exist, and an index page. The zip is streamed: memory holds a page of rows and a few kilobytes of zip, however much
 * data there is.
 */
export async function* exportArchive(db: Db, owner: ExportOwner): AsyncGenerator<Bytes> {
  const made: Bytes[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else made.push(chunk as Bytes);
  });
  function* ready(): Generator<Bytes> {
    if (failure) throw failure as Error;
    yield* made.splice(0);
  }
  async function* add(name: string, parts: AsyncIterable<Uint8Array>, isPacked = false): AsyncGenerator<Bytes> {
    const file = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    file.mtime = owner.now;
    zip.add(file);
    for await (const part of parts) {
      file.push(part, false);
      yield* ready();
    }
    file.push(new Uint8Array(0), true);
    yield* ready();
  }

  const counts = new Map<string, number>();
  for (const file of EXPORT_FILES) {
    const counted = countRows(rowsOf(db, file, owner), (count) => counts.set(file.name, count));
    yield* add(`json/${file.name}.json`, jsonOf(counted));
    yield* add(`csv/${file.name}.csv`, csvOf(rowsOf(db, file, owner)));
  }
  const attachments: string[] = [];
  for (const { name, parts } of await attachmentsOf(db, owner)) {
    attachments.push(name);
    yield* add(`attachments/${name}`, parts, true);
  }
  yield* add("index.html", once(exportIndex({ ...owner, counts, attachments })));
  zip.end();
  yield* ready();
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield utf8.encode(text);
}

async function* rowsOf(
  db: Db,
  file: ExportFile,
  { brand, memberId, telemetryUsers = [] }: ExportOwner,
): AsyncGenerator<Row> {
  const values = {
    brand: sql`${brand.id}::uuid`,
    member: sql`${memberId}::uuid`,
    telemetry: sql`${telemetryUsers}::text[]`,
  };
  for (let offset = 0; ; offset += ROWS_AT_A_TIME) {
    const { rows } = await sql<Row>`select * from (${bound(file.sql, values)}) as found
      limit ${ROWS_AT_A_TIME} offset ${offset}`.execute(db);
    yield* rows;
    if (rows.length < ROWS_AT_A_TIME) return;
  }
}

/** Only $member, $brand and $telemetry (the member's pseudonyms) are parameters, always of the archive's member. */
function bound<Name extends string>(text: string, values: Record<Name, RawBuilder<unknown>>) {
  const parts = text.split(/\$(member|brand|telemetry)\b/);
  return sql.join(
    parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : values[part as Name])),
    sql.raw(""),
  );
}

async function* countRows(rows: AsyncGenerator<Row>, done: (count: number) => void): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    yield row;
  }
  done(count);
}

async function* jsonOf(rows: AsyncGenerator<Row>): AsyncGenerator<Uint8Array> {
  let begin = "[";
  for await (const row of rows) {
    yield utf8.encode(`${begin}\n  ${JSON.stringify(row)}`);
    begin = ",";
  }
  yield utf8.encode(begin === "[" ? "[]\n" : "\n]\n");
}

async function* csvOf(rows: AsyncGenerator<Row>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const row of rows) {
    // Spreadsheets need a byte order mark to read UTF-8.
    if (isFirst) yield utf8.encode(`\uFEFF${csvLine(Object.keys(row))}`);
    isFirst = false;
    yield utf8.encode(csvLine(Object.values(row)));
  }
}

async function attachmentsOf(db: Db, { brand, memberId, attachmentKey, attachmentOldKeys = [] }: ExportOwner) {
  if (attachmentKey === null) return [];
  const rows = await db
    .selectFrom("attachments")
    .select(["public_id", "media_type"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brand.id)
    .orderBy("received_at")
    .execute();
  const files: { name: string; parts: AsyncGenerator<Buffer> }[] = [];
  for (const { public_id, media_type } of rows) {
    const keys = { key: attachmentKey, oldKeys: attachmentOldKeys };
    const owned = { publicId: public_id, memberId, brandId: brand.id, ...keys };
    const opened = await openOwnAttachment(db, owned);
    // Named by id: a member's own file name could be a path in the zip.
    if (opened)
      files.push({ name: `${public_id}.${media_type === "application/pdf" ? "pdf" : "jpg"}`, parts: opened.parts() });
  }
  return files;
}
