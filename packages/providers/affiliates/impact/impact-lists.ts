import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { NetworkApi } from "../network-api.ts";

/** One page of a list of Impact. */
export interface ImpactPage {
  rows: unknown[];
  /** What is wrong with the page; null where it is whole. */
  problem: string | null;
  isLast: boolean;
}

/** A list of more pages than this is refused; the window must be smaller. */
const MAX_PAGES = 10;

/** Thrown where a list is too long for its window: it must be split. */
export class ListTooLongError extends Error {
  override readonly name = "ListTooLongError";
}

/**
 * Reads a list of Impact page by page: `{"@page": "1", "@numpages": "3", "@pagesize": "20000", "@total": "41234", "Actions": [...]}`. `@numpages` says
 * how many pages there are; the number of rows does not: the smallest page that Impact accepts has 2,000 rows, and most lists are shorter than one.
 *
 * A page that arrives broken is asked for a second time. If it stays broken, the pages after it are read, and the failure is thrown at the end.
 * @throws NetworkUnavailableError at a page that does not arrive, or at the end where one stayed broken
 * @throws ListTooLongError before the first page where the list has too many
 */
export async function* readImpactList(
  api: NetworkApi,
  { url, key, pageSize }: { url: URL; key: string; pageSize: number },
): AsyncGenerator<ImpactPage> {
  let broken: NetworkUnavailableError | null = null;
  let pages = 1;
  let total: number | null = null;
  let read = 0;
  for (let page = 1; page <= pages; page += 1) {
    const question = new URL(url);
    question.searchParams.set("Page", String(page));
    question.searchParams.set("PageSize", String(pageSize));
    const answer = (await readPage(api, question, key)) ?? (page > 1 ? await readPage(api, question, key) : null);
    if (answer === null) {
      broken ??= new NetworkUnavailableError(`Impact's answer to a report request could not be read (page ${page}).`);
      if (page === 1) break;
      continue;
    }
    pages = answer.pages;
    if (page === 1) {
      total = answer.total;
      if (pages > MAX_PAGES) throw new ListTooLongError("the list has too many pages");
    }
    read += answer.rows.length;
    const isLast = page >= pages;
    const isShort = isLast && broken === null && total !== null && read < total;
    yield {
      rows: answer.rows,
      problem: isShort ? `Impact's list has ${read} rows of the ${total} that it announced` : null,
      isLast: isLast && broken === null,
    };
  }
  if (broken) throw broken;
}

async function readPage(
  api: NetworkApi,
  url: URL,
  key: string,
): Promise<{ rows: unknown[]; pages: number; total: number | null } | null> {
  const { status, body, isReadable } = await api.send(url);
  if (status === 404) return { rows: [], pages: 1, total: null };
  if (status >= 400) {
    if (isReadable && /\b(page ?size|pages?)\b/i.test(messageOf(body)))
      throw new ListTooLongError("the list is refused");
    throw new NetworkUnavailableError(`Impact answered ${status} to a report request.`);
  }
  if (!isReadable || typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const list = (body as Record<string, unknown>)[key];
  const total = count((body as Record<string, unknown>)["@total"]);
  if (!Array.isArray(list) && !(total === 0 && list === undefined)) return null;
  return {
    rows: Array.isArray(list) ? list : [],
    pages: count((body as Record<string, unknown>)["@numpages"]) ?? 1,
    total,
  };
}

function count(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** The `Message` of an error, read to recognize it; it is never shown. */
function messageOf(body: unknown): string {
  return typeof body === "object" && body !== null && "Message" in body && typeof body.Message === "string"
    ? body.Message.slice(0, 1_000)
    : "";
}
