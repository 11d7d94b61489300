import type { Faults, Typed } from "../../kit/read-form.ts";
import type { StaleAnswer } from "../../kit/stale-save.tsx";

/** What the page says has just been done. */
export type RatesDone = "terms" | "boost" | "end" | "remove" | "release";

/** What a post to the page of rates is answered with. */
export interface RatesAnswer {
  /** A question before something is done, and what is posted again with the yes. */
  ask: { title: string; what: string; button: string; keep: [name: string, value: string][] } | null;
  stale: StaleAnswer<string> | null;
  typed: Typed | null;
  /** What was typed into a form that is no longer there. */
  lost: Typed | null;
  faults: Faults;
}

/** Returns the address of a retailer's rates, with one of them open, and one of its boosts in the form. */
export function ratesPath(
  slug: string,
  { rate, boost, done }: { rate?: string | null | undefined; boost?: string | null | undefined; done?: RatesDone } = {},
): string {
  const query = new URLSearchParams();
  if (rate) query.set("rate", rate);
  if (boost) query.set("boost", boost);
  if (done) query.set("done", done);
  const asked = query.toString();
  return `/admin/retailers/${slug}/rates${asked && `?${asked}`}`;
}
