import { z } from "zod";

/** What of a list its address says: everything (A2, A3). */
export interface ListState<Sort extends string = string> {
  sort: Sort;
  isDescending: boolean;
  /** Where the page begins or ends: the keys of the row beside it. */
  after: Cursor | null;
  before: Cursor | null;
  size: number;
}

export interface Cursor {
  value: string;
  id: string;
}

export const PAGE_SIZES = [25, 50, 100] as const;
const MAX_CURSOR_LENGTH = 1_000;

const cursorSchema = z
  .string()
  .max(MAX_CURSOR_LENGTH)
  .transform((text, context): Cursor => {
    try {
      const pair = z.tuple([z.string(), z.string().max(100)]).parse(JSON.parse(fromBase64Url(text)));
      return { value: pair[0], id: pair[1] };
    } catch {
      context.addIssue("No cursor of ours");
      return z.NEVER;
    }
  });

/** Reads a list's state from an address. Whatever is wrong is ignored: the list is shown from its start. */
export function readListState<Sort extends string>(
  query: URLSearchParams,
  { sorts, defaultSort }: { sorts: readonly Sort[]; defaultSort: Sort | `-${Sort}` },
): ListState<Sort> {
  const typed = query.get("sort") ?? "";
  const known = sorts.find((each) => each === typed.replace(/^-/, ""));
  const chosen = known ? typed : defaultSort;
  const cursor = (name: string) => cursorSchema.nullable().catch(null).parse(query.get(name));
  const size = Number(query.get("size"));
  return {
    sort: chosen.replace(/^-/, "") as Sort,
    isDescending: chosen.startsWith("-"),
    after: cursor("after"),
    before: cursor("before"),
    size: PAGE_SIZES.find((each) => each === size) ?? PAGE_SIZES[1],
  };
}

export function writeCursor({ value, id }: Cursor): string {
  return toBase64Url(JSON.stringify([value, id]));
}

function toBase64Url(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (each) => each.codePointAt(0) ?? 0));
}
