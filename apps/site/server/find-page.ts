import { pageEntries, type PagePath } from "../pages.ts";

interface CompiledPage {
  path: PagePath;
  /** Segments of the path, in lower case; null stands for a parameter, which keeps its case. */
  segments: (string | null)[];
  /** The number of segments without the optional ones at the end. */
  required: number;
}

export interface FoundPage {
  /** The path of the page's route. */
  page: PagePath;
  /** The path that was asked for, as the route writes it. */
  path: string;
}

/** No page has more segments; an address may have tens of thousands. */
const MAX_SEGMENTS = Math.max(...pageEntries.map(([path]) => path.split("/").length - 1));

const pagesByStart = Map.groupBy(
  pageEntries
    .filter(([path]) => path !== "/*")
    .map(([path]): CompiledPage => {
      const parts = path.split("/").filter(Boolean);
      return {
        path,
        segments: parts.map((part) => (part.startsWith(":") ? null : part)),
        required: parts.filter((part) => !part.endsWith("?")).length,
      };
    }),
  ({ segments: [first = ""] }) => first ?? "",
);

/**
 * Returns the page of a path as the router finds it, whatever the case, the slashes at the end and the escapes of its
 * fixed parts; null where there is none.
 */
export function findPage(pathname: string): FoundPage | null {
  const parts = pathname.split("/").slice(1);
  // Not by a pattern: one for slashes at the end reads each run of them once from each of its slashes.
  while (parts.at(-1) === "") parts.pop();
  if (parts.length > MAX_SEGMENTS) return null;
  const plain = pathname.includes("%") ? decoded(parts) : parts;
  for (const { path: page, segments, required } of pagesByStart.get((plain[0] ?? "").toLowerCase()) ?? []) {
    if (plain.length < required || plain.length > segments.length) continue;
    if (
      !plain.every((part, index) => (segments[index] === null ? part !== "" : segments[index] === part.toLowerCase()))
    )
      continue;
    const path = plain.map((part, index) => segments[index] ?? encodedOnce(part, parts[index] ?? part)).join("/");
    return { page, path: `/${path}` };
  }
  return null;
}

/**
 * Returns the path of the page that React Router asks the data of, from the path of that request, which ends
 * in `.data`.
 */
export function withoutData(pathname: string): string {
  return pathname.slice(0, -(pathname.endsWith("/_.data") ? "_.data" : ".data").length);
}

/**
 * Returns the parts decoded, or as they are where one has a broken escape: the router does the same with the
 * whole path.
 */
function decoded(parts: string[]): string[] {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return parts;
  }
}

function encodedOnce(plain: string, raw: string): string {
  return plain === raw ? raw : encodeURIComponent(plain);
}
