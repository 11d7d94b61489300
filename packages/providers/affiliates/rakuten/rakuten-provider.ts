import {
  NetworkUnavailableError,
  type NetworkProvider,
  type ReportAnswer,
  type ReportPage,
  type ReportPass,
} from "@farthing/core/networks/provider.ts";
import { readReportFile, type ReportFileShape } from "@farthing/core/networks/report-file.ts";
import { createCallBudget } from "../call-budget.ts";
import { fetchReport, listOf, type ReportClient } from "../fetch-report.ts";
import { parseExactJson } from "../parse-exact-json.ts";
import { splitTime } from "../report-questions.ts";
import { joinAnswers, readReportRows, rowName } from "../report-rows.ts";
import { createRakutenToken } from "./rakuten-token.ts";
import type { RakutenCalendarOptions } from "./rakuten-calendar.ts";
import { readRakutenPush } from "./rakuten-push.ts";
import { readRakutenRow } from "./rakuten-report.ts";

export interface RakutenOptions {
  /** The publisher's numeric id (SID): the scope of its access tokens. */
  siteId: string;
  /** The id of eleven characters that links carry. */
  linkId: string;
  clientId: string;
  clientSecret: string;
  /** `https://api.linksynergy.com` */
  apiUrl: string;
  /** `https://click.linksynergy.com/deeplink` */
  clickUrl: string;
  calendar: RakutenCalendarOptions;
  timeoutMs?: number;
  fetch?: typeof fetch;
  now?: () => Date;
  callsPerMinute?: number;
  /** Rows of a page: Rakuten answers at most 1,000. */
  pageSize?: number;
}

/** Rows of every kind appear by the date at which Rakuten processes them. */
const PASSES: readonly ReportPass[] = ["transaction"];
const DAY_MS = 86_400_000;
const MAX_WINDOW_MS = 14 * DAY_MS;
/** The report finds no row by its id: a pushed order is looked for among those processed lately. */
const PUSH_REACH_MS = DAY_MS;
const MAX_PAGES = 10_000;

const FILE: ReportFileShape = {
  network: "Rakuten Advertising",
  list: [],
  fields: [
    ...["etransaction_id", "advertiser_id", "order_id", "sale_amount", "commissions", "currency"],
    ...["process_date", "transaction_date", "u1", "is_event", "commissions_list_id"],
  ],
  parseJson: parseExactJson,
};

/** Creates Rakuten Advertising's adapter (C2): links with `u1`, postbacks, and the Events report, whose corrections are negative rows. */
export function createRakutenProvider(options: RakutenOptions): NetworkProvider {
  const now = options.now ?? (() => new Date());
  const fetchOrGlobal = options.fetch ?? fetch;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const budget = createCallBudget({ calls: options.callsPerMinute ?? 100, perMs: 60_000 });
  const apiUrl = options.apiUrl.replace(/\/$/, "");
  const pageSize = options.pageSize ?? 1_000;
  const accessToken = createRakutenToken({ ...options, apiUrl, timeoutMs, fetch: fetchOrGlobal, now });

  async function ask(from: Date, to: Date, page: number): Promise<ReportAnswer & { isLast: boolean }> {
    if (budget.left() === 0)
      throw new NetworkUnavailableError("Rakuten Advertising's limit of calls is reached.", {
        retryAfterSeconds: Math.ceil(budget.waitMs() / 1000),
      });
    const client: ReportClient = {
      network: "Rakuten Advertising",
      headers: { authorization: `Bearer ${await accessToken.get()}` },
      budget,
      timeoutMs,
      fetch: fetchOrGlobal,
    };
    const observedAt = now();
    const url = new URL(`${apiUrl}/events/1.0/transactions`);
    url.search = new URLSearchParams({
      limit: String(pageSize),
      page: String(page),
      process_date_start: rakutenDate(from),
      // Rounded up to the next second: the report counts whole seconds.
      process_date_end: rakutenDate(new Date(to.getTime() + 999)),
    }).toString();
    const rows = listOf("Rakuten Advertising", await fetchReport(client, url).catch(forgetToken));
    return { ...readRows(rows, observedAt), isLast: rows.length < pageSize || page === MAX_PAGES };
  }

  const readRows = (rows: readonly unknown[], observedAt: Date) =>
    readReportRows(
      rows,
      (row) => readRakutenRow(row, options.calendar, observedAt),
      (row) => rowName("Rakuten event", row, "etransaction_id"),
    );

  /** A token that was revoked is asked for again with the next request. */
  function forgetToken(error: unknown): never {
    accessToken.forget();
    throw error;
  }

  async function* pages(from: Date, to: Date): AsyncGenerator<ReportAnswer & { isLast: boolean }> {
    for (let page = 1; ; page++) {
      const answer = await ask(from, to, page);
      yield answer;
      if (answer.isLast) return;
    }
  }

  async function* fetchTransactions({ from, to }: { from: Date; to: Date }): AsyncGenerator<ReportPage> {
    for (const window of splitTime(from, to, MAX_WINDOW_MS))
      for await (const { isLast, ...page } of pages(window.from, window.to))
        yield { ...page, coveredUntil: isLast ? window.to : null };
  }

  return {
    slug: "rakuten",
    passes: PASSES,
    linkOrigins: [new URL(options.clickUrl).origin],
    buildLink({ networkProgrammeId, landingUrl, reference }) {
      const link = new URL(options.clickUrl);
      link.searchParams.set("id", options.linkId);
      link.searchParams.set("mid", networkProgrammeId);
      link.searchParams.set("murl", landingUrl);
      link.searchParams.set("u1", reference);
      return link.href;
    },
    readPush: readRakutenPush,
    fetchTransactions,
    async fetchTransactionsById(ids) {
      if (ids.length === 0) return { transactions: [], unreadable: [] };
      const wanted = new Set(ids);
      const answers: ReportAnswer[] = [];
      const to = now();
      for await (const page of pages(new Date(to.getTime() - PUSH_REACH_MS), to)) answers.push(page);
      const { transactions } = joinAnswers(answers);
      // Rows of other orders that cannot be read are reported by the pass that is about them.
      return {
        transactions: transactions.filter(({ networkTransactionId }) => wanted.has(networkTransactionId)),
        unreadable: [],
      };
    },
    readReportFile: (text, observedAt) => readReportFile(text, FILE, (rows) => readRows(rows, observedAt)),
    callsLeft: () => budget.left(),
  };
}

/** `2026-11-20 05:20:00`, in UTC. */
function rakutenDate(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace("T", " ");
}
