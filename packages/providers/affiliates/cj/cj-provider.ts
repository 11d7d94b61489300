import {
  NetworkUnavailableError,
  type NetworkProvider,
  type ReportAnswer,
  type ReportPage,
  type ReportPass,
} from "@farthing/core/networks/provider.ts";
import { readReportFile, type ReportFileShape } from "@farthing/core/networks/report-file.ts";
import { z } from "zod";
import { createCallBudget } from "../call-budget.ts";
import { fetchReport, type ReportClient } from "../fetch-report.ts";
import { parseExactJson } from "../parse-exact-json.ts";
import { splitList, splitTime } from "../report-questions.ts";
import { joinAnswers, readReportRows, rowName } from "../report-rows.ts";
import { CJ_RECORD_FIELDS, readCjRecord } from "./cj-report.ts";

export interface CjOptions {
  /** The company id (CID), which the report is asked for. */
  companyId: string;
  /** The id of the promotional property (PID), which links carry. */
  propertyId: string;
  personalAccessToken: string;
  /** The currency that CJ pays in: the report's amounts have none. */
  currency: string;
  /** `https://commissions.api.cj.com/query` */
  reportUrl: string;
  /** `https://www.dpbolvw.net` */
  clickUrl: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
  now?: () => Date;
  callsPerMinute?: number;
}

/** By posting date, where records and corrections appear, and by locking date, when their status changes. */
const PASSES: readonly ReportPass[] = ["transaction", "validation"];
const DATE_OF: Partial<Record<ReportPass, string>> = { transaction: "Posting", validation: "Locking" };
const DAY_MS = 86_400_000;
/** CJ refuses more than 31 days. */
const MAX_WINDOW_MS = 30 * DAY_MS;
const MAX_IDS_PER_CALL = 100;

const QUERY = `query Commissions($forPublishers: [String!]!, $sincePostingDate: String, $beforePostingDate: String,
  $sinceLockingDate: String, $beforeLockingDate: String, $sinceCommissionId: String, $commissionIds: [String!]) {
  publisherCommissions(forPublishers: $forPublishers, sincePostingDate: $sincePostingDate, beforePostingDate: $beforePostingDate,
    sinceLockingDate: $sinceLockingDate, beforeLockingDate: $beforeLockingDate, sinceCommissionId: $sinceCommissionId,
    commissionIds: $commissionIds) {
    count payloadComplete maxCommissionId
    records { ${CJ_RECORD_FIELDS} }
  }
}`;

const answerSchema = z.object({
  errors: z.array(z.unknown()).length(0).nullish(),
  data: z.object({
    publisherCommissions: z.object({
      payloadComplete: z.boolean(),
      maxCommissionId: z.union([z.string(), z.int().transform(String)]).nullish(),
      records: z.array(z.unknown()),
    }),
  }),
});

const FILE: ReportFileShape = {
  network: "CJ",
  list: ["data", "publisherCommissions", "records"],
  fields: CJ_RECORD_FIELDS.replace(/{.*}/s, "")
    .split(/\s+/)
    .filter((field) => field !== ""),
  parseJson: parseExactJson,
};

/** Creates CJ's adapter (C2): links with `sid`, which the report returns as `shopperId`; no pushes; corrections as further records. */
export function createCjProvider(options: CjOptions): NetworkProvider {
  const now = options.now ?? (() => new Date());
  const budget = createCallBudget({ calls: options.callsPerMinute ?? 25, perMs: 60_000 });
  const client: ReportClient = {
    network: "CJ",
    headers: { authorization: `Bearer ${options.personalAccessToken}` },
    budget,
    timeoutMs: options.timeoutMs ?? 30_000,
    fetch: options.fetch ?? fetch,
  };
  const url = new URL(options.reportUrl);

  /** Asks one page. CJ answers a refused query with status 200 and `errors`, which may repeat anything. */
  async function ask(variables: Record<string, unknown>): Promise<ReportAnswer & { next: string | null }> {
    const observedAt = now();
    const answer = answerSchema.safeParse(
      await fetchReport(client, url, {
        query: QUERY,
        variables: { forPublishers: [options.companyId], ...variables },
      }),
    );
    if (!answer.success)
      throw new NetworkUnavailableError("CJ refused a report request, or answered it with something else.");
    const { records, payloadComplete, maxCommissionId } = answer.data.data.publisherCommissions;
    const since = variables["sinceCommissionId"];
    if (!payloadComplete && (!maxCommissionId || maxCommissionId === since))
      throw new NetworkUnavailableError("CJ's report does not say where it goes on.");
    return { ...readRecords(records, observedAt), next: payloadComplete ? null : maxCommissionId! };
  }

  const readRecords = (records: readonly unknown[], observedAt: Date) =>
    readReportRows(
      records,
      (row) => readCjRecord(row, options.currency, observedAt),
      (row) => rowName("CJ commission", row, "commissionId"),
    );

  async function* pages(variables: Record<string, unknown>): AsyncGenerator<ReportAnswer & { isLast: boolean }> {
    let since: string | null = null;
    do {
      const { next, ...page }: ReportAnswer & { next: string | null } = await ask({
        ...variables,
        ...(since === null ? {} : { sinceCommissionId: since }),
      });
      since = next;
      yield { ...page, isLast: next === null };
    } while (since !== null);
  }

  async function* fetchTransactions({
    pass,
    from,
    to,
  }: {
    pass: ReportPass;
    from: Date;
    to: Date;
  }): AsyncGenerator<ReportPage> {
    const date = DATE_OF[pass] ?? "Posting";
    for (const window of splitTime(from, to, MAX_WINDOW_MS)) {
      const variables = {
        [`since${date}Date`]: cjDate(window.from),
        // The end is excluded and the report counts whole seconds.
        [`before${date}Date`]: cjDate(new Date(window.to.getTime() + 999)),
      };
      for await (const { isLast, ...page } of pages(variables))
        yield { ...page, coveredUntil: isLast ? window.to : null };
    }
  }

  return {
    slug: "cj",
    passes: PASSES,
    linkOrigins: [new URL(options.clickUrl).origin],
    buildLink({ networkProgrammeId, landingUrl, reference }) {
      const path = `click-${encodeURIComponent(options.propertyId)}-${encodeURIComponent(networkProgrammeId)}`;
      const link = new URL(`${options.clickUrl.replace(/\/$/, "")}/${path}`);
      link.searchParams.set("sid", reference);
      link.searchParams.set("url", landingUrl);
      return link.href;
    },
    readPush: () => ({ outcome: "unreadable", problem: "CJ sends no pushes." }),
    fetchTransactions,
    async fetchTransactionsById(ids) {
      const answers: ReportAnswer[] = [];
      for (const commissionIds of splitList(ids, MAX_IDS_PER_CALL))
        for await (const { isLast: _isLast, ...page } of pages({ commissionIds })) answers.push(page);
      return joinAnswers(answers);
    },
    readReportFile: (text, observedAt) => readReportFile(text, FILE, (rows) => readRecords(rows, observedAt)),
    callsLeft: () => budget.left(),
  };
}

/** `2026-11-20T05:20:00Z` */
function cjDate(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
