import type { BankAccount } from "../bank-details/bank-account.ts";
import { sortCodeInPairs } from "../bank-details/rules.ts";
import { sumPence } from "../money/money.ts";
import { csvLine } from "../personal-data/csv.ts";
import { londonTime, type Day } from "./bacs-calendar.ts";
import type { BatchForFiles, Payment } from "./provider.ts";

/** Whose account the money comes from. */
export interface BacsOriginator extends BankAccount {
  /** Six digits, given by the bank that sponsors the service user. */
  serviceUserNumber: string;
}

type Batch = BatchForFiles<BankAccount>;

/** Transaction codes of Standard 18: a direct credit, and the contra that debits the originator. */
const [CREDIT, CONTRA] = ["99", "17"];
const MAX_PENCE = 99_999_999_999;

/**
 * Returns a batch in the layout of Bacs Standard 18 for one processing day: labels of 80 characters, a record of 100 for
 * each payment, the contra that balances them, and the totals. Lines end in CR LF, as Bacs software reads them.
 */
export function standard18(batch: Batch, from: BacsOriginator): string {
  const { payments } = batch;
  const total = sumPence(payments.map((payment) => payment.amountPence));
  if (total > MAX_PENCE) throw new RangeError("A Bacs file holds at most £999,999,999.99: make a smaller batch.");
  const user = from.serviceUserNumber;
  const serial = digits(batch.batchNumber % 1_000_000, 6);
  const made = julian(londonTime(batch.madeAt).day);
  const processing = julian(batch.processingDay);
  const fileLabel = (name: "HDR1" | "EOF1") =>
    `${name}A${user}S  1${user}${serial}00010001      ${made}${processing} 000000${" ".repeat(20)}`;
  const formatLabel = (name: "HDR2" | "EOF2") => `${name}F0200000100${" ".repeat(35)}00${" ".repeat(28)}`;
  const records = payments.map((payment) => record(payment, from));
  const contra =
    from.sortCode +
    from.accountNumber +
    `0${CONTRA}` +
    from.sortCode +
    from.accountNumber +
    " ".repeat(4) +
    digits(total, 11) +
    bacsText(from.name) +
    bacsText("CONTRA") +
    bacsText(from.name);
  const lines = [
    `VOL1${serial}${" ".repeat(31)}${user}${" ".repeat(32)}1`,
    fileLabel("HDR1"),
    formatLabel("HDR2"),
    `UHL1${processing}999999    000000001 DAILY  001${" ".repeat(40)}`,
    ...records,
    contra,
    fileLabel("EOF1"),
    formatLabel("EOF2"),
    `UTL1${digits(total, 13)}${digits(total, 13)}${digits(1, 7)}${digits(payments.length, 7)}${" ".repeat(36)}`,
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

function record({ reference, amountPence, destination }: Payment<BankAccount>, from: BacsOriginator): string {
  return (
    destination.sortCode +
    destination.accountNumber +
    `0${CREDIT}` +
    from.sortCode +
    from.accountNumber +
    " ".repeat(4) +
    digits(amountPence, 11) +
    bacsText(from.name) +
    bacsText(reference) +
    bacsText(destination.name)
  );
}

/** Returns a batch as a table, for banks whose software takes one, and for people. */
export function batchCsv({ payments, processingDay }: Batch): string {
  const head = ["sort_code", "account_number", "name", "amount", "reference", "processing_day"];
  const rows = payments.map(({ destination, amountPence, reference }) => [
    sortCodeInPairs(destination.sortCode),
    destination.accountNumber,
    destination.name,
    `${Math.floor(amountPence / 100)}.${digits(amountPence % 100, 2)}`,
    reference,
    processingDay,
  ]);
  return [head, ...rows].map((row) => csvLine(row)).join("");
}

/** Returns a number with leading zeros. @throws RangeError if it does not fit */
function digits(value: number, length: number): string {
  const text = String(value).padStart(length, "0");
  if (text.length > length || !/^\d+$/.test(text)) throw new RangeError(`${value} does not fit ${length} digits.`);
  return text;
}

/** Returns a day as labels have it: a space, two digits of the year, three of the day in it. */
function julian(day: Day): string {
  const year = day.slice(0, 4);
  const ordinal = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / 86_400_000 + 1;
  return ` ${year.slice(2)}${digits(ordinal, 3)}`;
}

/** Returns text in the characters of Bacs (capital letters, digits, . - / & and space), cut or filled to 18. */
export function bacsText(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’']/g, "").toUpperCase();
  return plain
    .replace(/[^A-Z0-9.\-/& ]/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .padEnd(18)
    .slice(0, 18);
}
