import { pagePath } from "../page-head/page-path.ts";

/** What narrows and orders a listing, as its address says it; what is null or empty is left out of it. */
export type ListParameters = Readonly<Record<string, string | null>>;

/** The address of a listing after a change. Whatever is changed, it begins again at its first page. */
export function listPath(path: string, parameters: ListParameters, change: ListParameters = {}): string {
  return pagePath(path, { ...parameters, page: null, ...change });
}
