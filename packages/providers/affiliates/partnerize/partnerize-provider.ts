import type { ClaimFiler } from "@farthing/core/networks/claim-filer.ts";
import {
  NetworkUnavailableError,
  type NetworkProvider,
  type ReportAnswer,
  type ReportPass,
} from "@farthing/core/networks/provider.ts";
import { readReportFile, type ReportFileShape } from "@farthing/core/networks/report-file.ts";
import { createCallBudget } from "../call-budget.ts";
import { createNetworkApi } from "../network-api.ts";
import { parseExactJson } from "../parse-exact-json.ts";
import { readReportRows, rowName } from "../report-rows.ts";
import { splitTime } from "../report-questions.ts";
import { createPartnerizeClaims } from "./partnerize-claims.ts";
import { partnerizeLink } from "./partnerize-link.ts";
import { dayOfTransaction, readPartnerizeConversion } from "./partnerize-report.ts";

export interface PartnerizeOptions {
  publisherId: string;
  applicationKey: string;
  userApiKey: string;
  /** `https://api.partnerize.com`, with or without a slash at the end. */
  apiUrl: string;
  /** `https://prf.hn` */
  clickUrl: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
  now?: () => Date;
  /** Partnerize publishes no figure; it answers 429 with the seconds to wait. */
  callsPerMinute?: number;
}

/** Partnerize states no longest window; a month keeps an answer to a few pages. */
const MAX_WINDOW_MS = 30 * 86_400_000;
/** `111111l314`: two numbers around a letter. */
const CONVERSION_ID = /^\d{1,20}l\d{1,20}$/;
/** Partnerize's largest page. */
const PAGE_SIZE = 300;
/** More pages than any month of a club has; a cursor that leads nowhere ends here. */
const MAX_PAGES = 5_000;

/** The `date_type` of each pass. A sale is found by its own date without one. */
const DATE_TYPES: Readonly<Partial<Record<ReportPass, string>>> = {
  validation: "approved_at",
  amendment: "last_updated",
};

const FILE: ReportFileShape = {
  network: "Partnerize",
  list: ["conversions"],
  fields: [
    ...["conversion_id", "campaign_id", "conversion_time", "currency", "publisher_reference", "conversion_reference"],
    ...["last_modified", "conversion_value", "conversion_items"],
  ].map((field) => `conversion_data.${field}`),
  parseJson: parseExactJson,
};

/** Creates Partnerize's adapter (C2): links as paths, the granular conversion report page by page, and no pushes. */
export function createPartnerizeProvider(
  options: PartnerizeOptions,
): NetworkProvider & { readonly claims: ClaimFiler } {
  const now = options.now ?? (() => new Date());
  const budget = createCallBudget({ calls: options.callsPerMinute ?? 60, perMs: 60_000 });
  const credentials = Buffer.from(`${options.applicationKey}:${options.userApiKey}`).toString("base64");
  const secrets = [options.applicationKey, options.userApiKey, credentials];
  const apiUrl = options.apiUrl.replace(/\/$/, "");
  const api = createNetworkApi({
    network: "Partnerize",
    apiUrl,
    headers: { authorization: `Basic ${credentials}` },
    waitHeaders: ["x-ratelimit-retry-after", "retry-after", "x-ratelimit-reset"],
    budget,
    timeoutMs: options.timeoutMs,
    fetch: options.fetch,
  });
  const publisher = encodeURIComponent(options.publisherId);
  const reportUrl = `${apiUrl}/reporting/report_publisher/publisher/${publisher}/conversion.json`;

  async function readPage(url: URL): Promise<Page | null> {
    const { status, body, isReadable } = await api.send(url);
    if (status >= 400) throw new NetworkUnavailableError(`Partnerize answered ${status} to a report request.`);
    return isReadable ? pageOf(body) : null;
  }

  /** Reads the pages of one question. The next page is asked for by its cursor at our own address: an address in the answer is not followed. */
  async function* readPages(question: Record<string, string>): AsyncGenerator<ReportAnswer & { isLast: boolean }> {
    const url = new URL(reportUrl);
    url.search = new URLSearchParams({
      ...question,
      timezone: "UTC",
      include_payment_info: "true",
      limit: String(PAGE_SIZE),
    }).toString();
    const seen = new Set<string>();
    let read = 0;
    for (let number = 1; number <= MAX_PAGES; number += 1) {
      const observedAt = now();
      const page = (await readPage(url)) ?? (number > 1 ? await readPage(url) : null);
      if (page === null)
        throw new NetworkUnavailableError(
          `Partnerize's answer to a report request could not be read (page ${number}).`,
        );
      const answer = readRows(page.rows, observedAt);
      read += page.rows.length;
      const isLast = page.cursor === null;
      if (isLast && page.count !== null && read < page.count)
        answer.unreadable.push(`Partnerize's report has ${read} rows of the ${page.count} that it announced`);
      yield { ...answer, isLast };
      if (page.cursor === null) return;
      if (seen.has(page.cursor)) throw new NetworkUnavailableError("Partnerize's report leads back to a page before.");
      seen.add(page.cursor);
      url.searchParams.set("cursor_id", page.cursor);
    }
    throw new NetworkUnavailableError("Partnerize's report does not end.");
  }

  return {
    slug: "partnerize",
    passes: ["transaction", "validation", "amendment"],
    linkOrigins: [new URL(options.clickUrl).origin],
    buildLink: ({ programmeLink, landingUrl, reference }) =>
      partnerizeLink({ clickUrl: options.clickUrl, programmeLink: programmeLink ?? "", landingUrl, reference }),
    readPush: () => ({ outcome: "unreadable", problem: "Partnerize documents no notification of publishers" }),
    async *fetchTransactions({ pass, from, to }) {
      const dateType = DATE_TYPES[pass];
      for (const window of splitTime(from, to, MAX_WINDOW_MS)) {
        const pages = readPages({
          start_date: instant(window.from),
          // Rounded up to the next second: the report counts whole seconds.
          end_date: instant(new Date(window.to.getTime() + 999)),
          ...(dateType === undefined ? {} : { date_type: dateType }),
        });
        for await (const { isLast, ...answer } of pages) yield { ...answer, coveredUntil: isLast ? window.to : null };
      }
    },
    async fetchTransactionsById(ids) {
      const wanted = new Set(ids);
      const days = new Map(
        ids.flatMap((id) => {
          const day = dayOfTransaction(id);
          return day ? [[day.from.getTime(), day] as const] : [];
        }),
      );
      const answer: ReportAnswer = { transactions: [], unreadable: [] };
      for (const { from, to } of days.values())
        for await (const page of readPages({ start_date: instant(from), end_date: instant(to) })) {
          answer.transactions.push(...page.transactions.filter((one) => wanted.has(one.networkTransactionId)));
          answer.unreadable.push(...page.unreadable);
        }
      return answer;
    },
    readReportFile: (text, observedAt) => readReportFile(text, FILE, (rows) => readRows(rows, observedAt)),
    splitIds: (ids) => [...Map.groupBy(ids, (id) => dayOfTransaction(id)?.from.getTime()).values()],
    claims: createPartnerizeClaims({ api, apiUrl, publisher, secrets }),
    callsLeft: () => budget.left(),
  };
}

function readRows(rows: readonly unknown[], observedAt: Date): ReportAnswer {
  return readReportRows(
    rows,
    (row) => readPartnerizeConversion(row, observedAt),
    (row) => rowName("Partnerize conversion", valueAt(row, "conversion_data"), "conversion_id", CONVERSION_ID),
  );
}

interface Page {
  rows: unknown[];
  /** Null on the last page. */
  cursor: string | null;
  count: number | null;
}

function pageOf(body: unknown): Page | null {
  if (typeof body !== "object" || body === null || !("conversions" in body) || !Array.isArray(body.conversions))
    return null;
  const pagination = valueAt(valueAt(body, "hypermedia"), "pagination");
  const next = valueAt(pagination, "next_page");
  const cursor =
    typeof next === "string" ? URL.parse(next, "https://api.invalid")?.searchParams.get("cursor_id") : null;
  if (typeof next === "string" && next !== "" && !cursor) return null;
  const count = valueAt(body, "count");
  return {
    rows: body.conversions,
    cursor: cursor ?? null,
    count: Number.isSafeInteger(count) ? (count as number) : null,
  };
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : null;
}

/** `2016-03-10T19:02:35Z` */
function instant(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
