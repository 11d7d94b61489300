import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { decimalPounds } from "../money/money.ts";
import { DECLINE_REASONS, isDeclineReason } from "../networks/decline-reason.ts";
import { csvLine, CsvNumber } from "../personal-data/csv.ts";

const BATCH = 1_000;

const COLUMNS = [
  "Click number",
  "Retailer",
  "Kind",
  "State",
  "Bought on",
  "Counted for cashback (GBP)",
  "Cashback (GBP)",
  "Reason",
  "Tracked on",
  "Confirmed on",
  "Yours on",
  "Paid on",
  "Declined on",
] as const;

interface CsvRow {
  id: string;
  purchased_at: Date;
  click_number: string;
  name: string;
  entry_kind: string;
  state: string;
  sale_pence: number;
  cashback_pence: number;
  reason_code: string | null;
  tracked_at: Date | null;
  confirmed_at: Date | null;
  payable_at: Date | null;
  paid_at: Date | null;
  declined_at: Date | null;
}

/**
 * Yields all purchases and corrections of a member as CSV (RFC 4180, UTF-8), newest first, a thousand at a time: memory does not grow with the
 * history. Days are London's. Text that a spreadsheet would take for a formula gets an apostrophe before it.
 */
export async function* purchasesCsv(
  db: Db,
  { memberId }: { memberId: string },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(csvLine(COLUMNS));
  let after: { at: Date; id: string } | null = null;
  for (;;) {
    const rows: CsvRow[] = await readBatch(db, memberId, after);
    if (rows.length > 0) yield encoder.encode(rows.map((row) => csvLine(cellsOf(row))).join(""));
    const last: CsvRow | undefined = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = { at: last.purchased_at, id: last.id };
  }
}

async function readBatch(db: Db, memberId: string, after: { at: Date; id: string } | null): Promise<CsvRow[]> {
  // By the entry and not by its time as JavaScript has it, which is in milliseconds.
  const beyond = after
    ? sql`(entry.purchased_at, entry.id) < (select purchased_at, id from cashback_entries where id = ${after.id})`
    : sql`true`;
  const { rows } = await sql<CsvRow>`
    with page as materialized (
      select * from cashback_entries entry where entry.member_id = ${memberId} and ${beyond}
        and (entry.entry_kind = 'purchase' or entry.cashback_pence <> 0)
      order by entry.purchased_at desc, entry.id desc limit ${sql.lit(BATCH)})
    select page.id, page.purchased_at, click.click_number, retailer.name, page.entry_kind, page.state, page.sale_pence,
      page.cashback_pence, page.reason_code, page.tracked_at, page.confirmed_at, page.payable_at, page.paid_at, page.declined_at
    from page join clicks click on click.id = page.click_id join retailers retailer on retailer.id = page.retailer_id
    order by page.purchased_at desc, page.id desc`.execute(db);
  return rows;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  tracked: "Pending",
  confirmed: "Confirmed",
  payable: "Yours",
  paid: "Paid",
  declined: "Declined",
};

function cellsOf(row: CsvRow): (string | CsvNumber)[] {
  const reason = row.reason_code !== null && isDeclineReason(row.reason_code) ? DECLINE_REASONS[row.reason_code] : "";
  return [
    row.click_number,
    row.name,
    row.entry_kind === "correction" ? "Correction" : "Purchase",
    STATE_WORDS[row.state] ?? row.state,
    day(row.purchased_at),
    new CsvNumber(decimalPounds(row.sale_pence)),
    new CsvNumber(decimalPounds(row.cashback_pence)),
    reason,
    day(row.tracked_at),
    day(row.confirmed_at),
    day(row.payable_at),
    day(row.paid_at),
    day(row.declined_at),
  ];
}

const londonDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London" });

function day(moment: Date | null): string {
  return moment ? londonDay.format(moment) : "";
}
