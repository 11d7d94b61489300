import type { NetworkProvider, ReportAnswer, ReportPage, ReportPass } from "@farthing/core/networks/provider.ts";
import { readReportFile, type ReportFileShape } from "@farthing/core/networks/report-file.ts";
import { createCallBudget } from "../call-budget.ts";
import { fetchReport, listOf, type ReportClient } from "../fetch-report.ts";
import { parseExactJson } from "../parse-exact-json.ts";
import { splitList, splitTime } from "../report-questions.ts";
import { joinAnswers, readReportRows, rowName } from "../report-rows.ts";
import { readAwinPush } from "./awin-push.ts";
import { readAwinTransaction } from "./awin-report.ts";

export interface AwinOptions {
  publisherId: string;
  apiToken: string;
  /** `https://api.awin.com`, with or without a slash at the end. */
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
const MAX_WINDOW_MS = 30 * DAY_MS;
/** Keeps the URL well under the length that servers accept. */
const MAX_IDS_PER_CALL = 100;

const FILE: ReportFileShape = {
  network: "Awin",
  list: [],
  fields: [
    ...["id", "advertiserId", "commissionStatus", "saleAmount.amount", "saleAmount.currency"],
    ...["commissionAmount.amount", "commissionAmount.currency", "clickRefs.clickRef", "clickDate", "transactionDate"],
    ...["validationDate", "declineReason", "amended", "amendReason", "orderRef", "paidToPublisher", "type"],
    "transactionParts",
  ],
  parseJson: parseExactJson,
};

/** Creates Awin's adapter (C2): links with `clickref`, unsigned pushes, and the publisher report that decides. */
export function createAwinProvider(options: AwinOptions): NetworkProvider {
  const now = options.now ?? (() => new Date());
  const budget = createCallBudget({ calls: options.callsPerMinute ?? 20, perMs: 60_000 });
  const client: ReportClient = {
    network: "Awin",
    headers: { authorization: `Bearer ${options.apiToken}` },
    budget,
    timeoutMs: options.timeoutMs ?? 15_000,
    fetch: options.fetch ?? fetch,
  };
  const reportUrl = `${options.apiUrl.replace(/\/$/, "")}/publishers/${encodeURIComponent(options.publisherId)}/transactions/`;

  /** GET /publishers/{id}/transactions/ */
  async function ask(question: Record<string, string>): Promise<ReportAnswer> {
    const observedAt = now();
    const url = new URL(reportUrl);
    url.search = new URLSearchParams({ ...question, timezone: "UTC" }).toString();
    return readRows(listOf("Awin", await fetchReport(client, url)), observedAt);
  }

  /** Awin's report has no pages: a window is one answer. */
  async function* fetchTransactions({
    pass,
    from,
    to,
  }: {
    pass: ReportPass;
    from: Date;
    to: Date;
  }): AsyncGenerator<ReportPage> {
    for (const window of splitTime(from, to, MAX_WINDOW_MS)) {
      const answer = await ask({
        startDate: awinDate(window.from),
        // Rounded up to the next second: the report counts whole seconds.
        endDate: awinDate(new Date(window.to.getTime() + 999)),
        dateType: pass,
      });
      yield { ...answer, coveredUntil: window.to };
    }
  }

  return {
    slug: "awin",
    passes: PASSES,
    linkOrigins: [new URL(options.clickUrl).origin],
    buildLink({ networkProgrammeId, landingUrl, reference }) {
      const link = new URL(options.clickUrl);
      link.searchParams.set("awinmid", networkProgrammeId);
      link.searchParams.set("awinaffid", options.publisherId);
      link.searchParams.set("clickref", reference);
      link.searchParams.set("ued", landingUrl);
      return link.href;
    },
    readPush: readAwinPush,
    fetchTransactions,
    async fetchTransactionsById(ids) {
      const answers: ReportAnswer[] = [];
      for (const some of splitList(ids, MAX_IDS_PER_CALL)) answers.push(await ask({ ids: some.join(",") }));
      return joinAnswers(answers);
    },
    readReportFile: (text, observedAt) => readReportFile(text, FILE, (rows) => readRows(rows, observedAt)),
    callsLeft: () => budget.left(),
  };
}

function readRows(rows: readonly unknown[], observedAt: Date): ReportAnswer {
  return readReportRows(
    rows,
    (row) => readAwinTransaction(row, observedAt),
    (row) => rowName("Awin transaction", row, "id"),
  );
}

/** `2026-11-20T05:20:00`: seconds, no zone. */
function awinDate(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}
