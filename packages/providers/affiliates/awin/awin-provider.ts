import type { NetworkProvider, ReportAnswer, ReportPass } from "@farthing/core/networks/provider.ts";
import { createCallBudget } from "../call-budget.ts";
import { getAwinTransactions, type AwinClientOptions } from "./awin-client.ts";
import { readAwinPush } from "./awin-push.ts";
import { readAwinTransaction } from "./awin-report.ts";

export interface AwinOptions {
  publisherId: string;
  apiToken: string;
  /** `https://api.awin.com` */
  apiUrl: string;
  /** `https://www.awin1.com/cread.php` */
  clickUrl: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
  now?: () => Date;
  /** Awin allows 20 calls a minute per user. */
  callsPerMinute?: number;
}

const PASSES: readonly ReportPass[] = ["transaction", "validation", "amendment"];
const DAY_MS = 86_400_000;
/** Awin refuses more than 31 days; a day less keeps clear of how it counts them. */
const WINDOW_MS = 30 * DAY_MS;
/** Keeps the address well under what servers take. */
const IDS_PER_CALL = 100;

/** Awin (product.md C2): links with `clickref`, unsigned pushes, and the publisher report that decides. */
export function createAwinProvider(options: AwinOptions): NetworkProvider {
  const now = options.now ?? (() => new Date());
  const budget = createCallBudget({ calls: options.callsPerMinute ?? 20, perMs: 60_000 });
  const client: AwinClientOptions = {
    apiUrl: options.apiUrl,
    apiToken: options.apiToken,
    publisherId: options.publisherId,
    budget,
    timeoutMs: options.timeoutMs ?? 15_000,
    fetch: options.fetch ?? fetch,
  };

  async function ask(questions: Record<string, string>[]): Promise<ReportAnswer> {
    const answer: ReportAnswer = { transactions: [], unreadable: [] };
    for (const question of questions) {
      const observedAt = now();
      for (const row of await getAwinTransactions(client, question)) {
        try {
          answer.transactions.push(readAwinTransaction(row, observedAt));
        } catch (error) {
          answer.unreadable.push(
            `Awin transaction ${idOf(row)}: ${error instanceof Error ? error.message.slice(0, 500) : "unreadable"}`,
          );
        }
      }
    }
    return answer;
  }

  return {
    slug: "awin",
    passes: PASSES,
    buildLink({ networkProgrammeId, landingUrl, reference }) {
      const link = new URL(options.clickUrl);
      link.searchParams.set("awinmid", networkProgrammeId);
      link.searchParams.set("awinaffid", options.publisherId);
      link.searchParams.set("clickref", reference);
      link.searchParams.set("ued", landingUrl);
      return link.href;
    },
    readPush: readAwinPush,
    fetchTransactions: ({ pass, from, to }) => ask(windows(from, to).map((window) => ({ ...window, dateType: pass }))),
    fetchTransactionsById: (ids) => ask(chunk(ids, IDS_PER_CALL).map((some) => ({ ids: some.join(",") }))),
    callsLeft: () => budget.left(),
  };
}

function windows(from: Date, to: Date): { startDate: string; endDate: string }[] {
  const result: { startDate: string; endDate: string }[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += WINDOW_MS) {
    result.push({ startDate: awinDate(start), endDate: awinDate(Math.min(start + WINDOW_MS, to.getTime() + 999)) });
  }
  return result;
}

/** `2026-11-20T05:20:00`: seconds, no zone. */
function awinDate(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function idOf(row: unknown): string {
  return typeof row === "object" && row !== null && "id" in row ? String(row.id).slice(0, 64) : "without an id";
}
