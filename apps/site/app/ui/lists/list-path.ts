import { pagePath } from "../page-head/page-path.ts";

/** The filters and the sorting of a listing, as its address has them. Null and empty values are left out. */
export type ListParameters = Readonly<Record<string, string | null>>;

/** Returns the address of a listing after a change, always at its first page. */
export function listPath(path: string, parameters: ListParameters, change: ListParameters = {}): string {
  return pagePath(path, { ...parameters, page: null, ...change });
}
