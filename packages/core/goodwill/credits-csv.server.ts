import type { Db } from "@farthing/db/client.ts";
import { decimalPounds } from "../money/money.ts";
import { findGoodwill, type GoodwillItem } from "./find-goodwill.server.ts";
import { GOODWILL_REASONS } from "./rules.ts";

/** Far more than the limits of goodwill allow a member. */
const MAX_CREDITS = 1_000;

/**
 * Yields what the club has credited a member with, newest first, as rows below those of purchases-csv.server.ts: a credit has no
 * click, retailer or sale. Days are London's.
 */
export async function* creditsCsv(
  db: Db,
  { memberId }: { memberId: string },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const credits = await findGoodwill(db, { memberId, max: MAX_CREDITS });
  if (credits.length > 0)
    yield new TextEncoder().encode(credits.map((credit) => `${cellsOf(credit).join()}\r\n`).join(""));
}

/** No cell needs quotes: each is ours, and none has a comma. */
function cellsOf({ amountPence, reason, state, givenAt, reversedAt }: GoodwillItem): string[] {
  return [
    ...["", "", "Credit from us", state === "given" ? "Yours" : "Taken back", "", "", decimalPounds(amountPence)],
    ...[GOODWILL_REASONS[reason], "", "", day(givenAt), "", day(reversedAt)],
  ];
}

const londonDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London" });

function day(moment: Date | null): string {
  return moment ? londonDay.format(moment) : "";
}
