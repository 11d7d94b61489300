import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { z } from "zod";
import { act, type Act, type Actor } from "../../audit/act.server.ts";
import { joinTransaction } from "../../audit/join-transaction.server.ts";
import { lockImports } from "../../catalogue-imports/import-lock.server.ts";
import { ProblemList } from "../../catalogue-imports/import-problem.ts";
import type { FileReport, ImportResult } from "../../catalogue-imports/import-report.ts";
import type { ImportSource } from "../../catalogue-imports/import-source.server.ts";
import { recordImports } from "../../catalogue-imports/record-imports.server.ts";
import { readRecords, type RecordPlace } from "../../catalogue-imports/read-records.server.ts";
import { retailerAt } from "../retailers/retailer-at.server.ts";
import { unknownNames } from "../unknown-names.server.ts";
import { changeOffer, createOffer, noRetailer, setOfferStatus, type OfferFaults } from "./change-offer.server.ts";
import { findOfferRecord, type OfferRecord } from "./find-offer-record.server.ts";
import { offerSchema, type OfferForm } from "./offer-schema.ts";
import { columnOfField, namesOfRow, offersReading, typedOfRow, type OfferColumn } from "./offers-csv.ts";

/** Each offer has an entry in the log, and others wait for the log meanwhile. */
export const MAX_OFFERS_IN_FILE = 500;
const MAX_NAMED = 200;
/** Characters of a reference that messages show. */
const MAX_ID = 60;

interface OfferRow {
  reference: string;
  retailer: string;
  status: "live" | "withdrawn";
  form: OfferForm;
}

const states = { published: "live", withdrawn: "withdrawn" } as const;

/** A row as it was read, also one with faults: what of it can be read is compared with the catalogue all the same. */
interface ReadRow extends RecordPlace {
  reference: string;
  retailer: string;
  names: Pick<OfferForm, "categories" | "brands">;
  /** What is wrong in the row itself, by column; empty for the whole row. */
  faults: [column: OfferColumn | "", message: string][];
  /** Null: the row has faults. */
  row: OfferRow | null;
}

function readRow(row: Record<OfferColumn, string>, place: RecordPlace): ReadRow {
  const faults: ReadRow["faults"] = [];
  const wrong = (column: OfferColumn, message: string) => faults.push([column, message]);
  const reference = row.reference.trim();
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(reference))
    wrong("reference", "must be 1 to 60 letters, digits, dots, hyphens or underscores");
  const retailer = row.retailer.trim();
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(retailer))
    wrong("retailer", "must be the last part of the retailer's address, such as fernhollow-boots");
  const state = row.state.trim().toLowerCase();
  if (!Object.hasOwn(states, state)) wrong("state", "must be published or withdrawn");
  if (!/^(yes|no)?$/i.test(row.over_18s_only.trim())) wrong("over_18s_only", "must be yes or no");
  const form = offerSchema.safeParse(typedOfRow(row));
  for (const { path, message } of form.error?.issues ?? []) {
    const column = columnOfField[path[0] as keyof OfferForm] ?? "title";
    wrong(column, /_at$/.test(column) && message.includes("London") ? LONDON : message);
  }
  const read = { ...place, reference, retailer, names: namesOfRow(row), faults };
  if (!form.success || faults.length > 0) return { ...read, row: null };
  return { ...read, row: { reference, retailer, status: states[state as keyof typeof states], form: form.data } };
}
const LONDON = "must be a date and time of London, such as 2026-11-30 23:59";

/**
 * Imports a CSV file of the club's own offers (A2): a known reference changes its offer, a new one makes one. All of it or nothing; a dry
 * run says what it would do. Each offer that changes has an entry in the log, with its undo and the file's name and line.
 * @throws NotPermittedError
 */
export async function importOffers(
  db: Db,
  { actor, source, dryRun = false }: { actor: Actor; source: ImportSource; dryRun?: boolean },
): Promise<ImportResult> {
  const problems = new ProblemList();
  const rows: ReadRow[] = [];
  const csv = { name: /\.csv$/i.test(source.name) ? source.name : `${source.name}.csv`, open: source.open };
  const read = await readRecords(
    { source: csv, problems, progress: () => {}, csv: offersReading },
    {
      "": {
        schema: z.unknown(),
        // A repeated reference is one fault of its row among others.
        idOf: () => null,
        async store(row, place) {
          rows.push(readRow(row as Record<OfferColumn, string>, place));
        },
      },
    },
  );
  nameRepeated(rows);
  const report: FileReport = {
    ...{ kind: "offers", source: source.name, hash: read.hash, read: read.rows },
    ...{ created: 0, updated: 0, withdrawn: 0, records: [], warnings: [] },
  };
  if (read.rows > MAX_OFFERS_IN_FILE) {
    const message = `has ${read.rows} offers; import at most ${MAX_OFFERS_IN_FILE} at once, in several files`;
    problems.add({ source: source.name, line: null, index: null, id: null, field: "", message });
  }
  const result = (): ImportResult =>
    problems.count > 0
      ? { outcome: "refused", files: [report], problems: problems.kept, problemCount: problems.count }
      : { outcome: dryRun ? "checked" : "imported", files: [report] };
  if (read.rows > MAX_OFFERS_IN_FILE) return result();
  const isTried = dryRun || problems.count > 0 || rows.some(({ row }) => row === null);
  const undone = new Error("a dry run, or a file with a fault");
  const run = db.transaction().execute(async (trx) => {
    // A try keeps nobody waiting: it writes no entries, which are written one after the other.
    if (!isTried) await lockImports(trx);
    const doAct: DoAct = isTried
      ? (joined, _what, change) => change(joined)
      : (joined, what, change) =>
          act(joined, actor, { permission: "catalogue.change", changed: isDone, ...what }, change);
    const parts = { doAct, report, problems, now: actor.now };
    for (const { row, ...read } of rows)
      if (row) await applyRow(joinTransaction(trx), { ...row, line: read.line, index: read.index }, parts);
      else await nameFaults(trx, read, parts);
    if (isTried || problems.count > 0) throw undone;
    if (report.created + report.updated > 0) await recordImports(trx, null, [report]);
  });
  await run.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return result();
}

type Applied =
  | { outcome: "done"; publicId: string }
  | { outcome: "unchanged" }
  | { outcome: "refused"; faults: OfferFaults };
const idOf = (applied: Applied) => (applied.outcome === "done" ? applied.publicId : "");
const isDone = ({ outcome }: Applied) => outcome === "done";
type DoAct = (
  db: Db,
  what: Pick<Act<Applied>, "subject" | "why"> & { action: "offer.create" | "offer.change" },
  change: (joined: Db) => Promise<Applied>,
) => Promise<Applied>;

/** Makes a reference that an earlier row has a fault of the later one. */
function nameRepeated(rows: ReadRow[]): void {
  const lines = new Map<string, number>();
  for (const read of rows) {
    const earlier = lines.get(read.reference);
    if (earlier === undefined) lines.set(read.reference, read.line);
    else if (read.reference !== "") {
      read.faults.unshift(["", `this id is already on line ${earlier}; remove one of the two`]);
      read.row = null;
    }
  }
}

/** Adds the faults of a row that can't be applied, with the names in it that the catalogue does not have. */
async function nameFaults(
  db: Db,
  { line, index, reference, retailer, names, faults }: Omit<ReadRow, "row">,
  { report, problems }: { report: FileReport; problems: ProblemList },
): Promise<void> {
  const at = { source: report.source, line, index, id: reference === "" ? null : reference.slice(0, MAX_ID) };
  for (const [field, message] of faults) problems.add({ ...at, field, message });
  const isFaulty = (column: OfferColumn) => faults.some(([field]) => field === column);
  if (!isFaulty("retailer")) {
    const known = await findOwnOffer(db, reference);
    const place = await findPlace(db, retailer);
    const message = known ? staysAt(known, place) : await unknownRetailer(db, place);
    if (message !== null) problems.add({ ...at, field: "retailer", message });
  }
  for (const [field, message] of Object.entries(await unknownNames(db, names)))
    problems.add({ ...at, field: columnOfField[field as keyof typeof columnOfField], message });
}

const staysAt = ({ retailer }: OfferRecord, place: string) =>
  retailer.slug === place ? null : `The offer is of “${retailer.slug}”, which can't be changed.`;

async function unknownRetailer(db: Db, slug: string): Promise<string | null> {
  const found = await db.selectFrom("retailers").select("id").where("slug", "=", slug).executeTakeFirst();
  return found ? null : noRetailer(slug);
}

async function applyRow(
  db: Db,
  row: OfferRow & RecordPlace,
  { doAct, report, problems, now }: { doAct: DoAct; report: FileReport; problems: ProblemList; now: Date },
): Promise<void> {
  const known = await findOwnOffer(db, row.reference);
  const place = await findPlace(db, row.retailer);
  const why = `From the file ${report.source}, line ${row.line}`;
  const refusal = known ? staysAt(known, place) : null;
  const applied = !known
    ? await doAct(db, { action: "offer.create", why, subject: { type: "offer", idOf } }, (joined) =>
        create(joined, { row, place, now }),
      )
    : refusal !== null
      ? ({ outcome: "refused", faults: { retailer: refusal } } as const)
      : await doAct(db, { action: "offer.change", why, subject: { type: "offer", id: known.publicId } }, (joined) =>
          change(joined, { row, known, now }),
        );
  if (applied.outcome === "refused") {
    const at = { source: report.source, line: row.line, index: row.index, id: row.reference };
    for (const [field, message] of Object.entries(applied.faults))
      problems.add({ ...at, field: columnOfField[field as keyof typeof columnOfField], message });
  } else if (applied.outcome === "done") {
    report[known ? "updated" : "created"] += 1;
    if ((report.records?.length ?? 0) < MAX_NAMED)
      report.records?.push({
        line: row.line,
        id: row.reference,
        title: row.form.title,
        what: known ? "updated" : "created",
      });
  }
}

async function create(db: Db, { row, place, now }: { row: OfferRow; place: string; now: Date }): Promise<Applied> {
  const made = await createOffer(db, { retailer: place, form: row.form, number: row.reference, now });
  if (made.outcome === "refused") return made;
  if (row.status === "live") await setOfferStatus(db, { publicId: made.publicId, status: "live", now });
  return { outcome: "done", publicId: made.publicId };
}

async function change(db: Db, { row, known, now }: { row: OfferRow; known: OfferRecord; now: Date }): Promise<Applied> {
  const { publicId, fingerprint: seen } = known;
  const changed = await changeOffer(db, { publicId, seen, form: row.form, now });
  if (changed.outcome === "refused") return changed;
  const isSet = await setOfferStatus(db, { publicId, status: row.status, now });
  return changed.outcome === "changed" || isSet ? { outcome: "done", publicId } : { outcome: "unchanged" };
}

/** Returns the club's own offer with a reference, locked; null: there is none. */
async function findOwnOffer(db: Db, reference: string): Promise<OfferRecord | null> {
  const { rows } = await sql<{ publicId: string }>`select public_id as "publicId" from offers
    where network_id is null and network_offer_id = ${reference}`.execute(db);
  return rows[0] ? await findOfferRecord(db, { publicId: rows[0].publicId, isLocked: true }) : null;
}

/** Returns the address of the retailer that stays, where the file names one that was merged; an unknown address as it is. */
async function findPlace(db: Db, slug: string): Promise<string> {
  const { rows } = await sql<{ slug: string }>`select slug from retailers where id = ${retailerAt(slug)}`.execute(db);
  return rows[0]?.slug ?? slug;
}

/** Returns the club's own offers one by one, in the order of their references. */
export async function* eachOwnOffer(db: Db): AsyncGenerator<OfferRecord> {
  for (let after = ""; ;) {
    const { rows } = await sql<{ number: string; publicId: string }>`
      select network_offer_id as number, public_id as "publicId" from offers
      where network_id is null and network_offer_id > ${after} order by network_offer_id limit 100`.execute(db);
    for (const { publicId } of rows) {
      const record = await findOfferRecord(db, { publicId });
      if (record) yield record;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}
