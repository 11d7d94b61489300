import type { ClaimFiler } from "@farthing/core/networks/claim-filer.ts";
import {
  NetworkUnavailableError,
  type NetworkProvider,
  type ReportAnswer,
  type ReportPage,
  type ReportPass,
} from "@farthing/core/networks/provider.ts";
import { readReportFile, type ReportFileShape } from "@farthing/core/networks/report-file.ts";
import { createCallBudget } from "../call-budget.ts";
import { createNetworkApi, type NetworkApi } from "../network-api.ts";
import { parseExactJson } from "../parse-exact-json.ts";
import { readReportRows, rowName } from "../report-rows.ts";
import { splitTime } from "../report-questions.ts";
import { createImpactClaims } from "./impact-claims.ts";
import { impactInstant } from "./impact-date.ts";
import { impactLink } from "./impact-link.ts";
import { ListTooLongError, readImpactList } from "./impact-lists.ts";
import { readImpactPush } from "./impact-push.ts";
import { isReversed, readImpactAction, readReversal, type Reversal } from "./impact-report.ts";

export interface ImpactOptions {
  accountSid: string;
  authToken: string;
  /** `https://api.impact.com`, with or without a slash at the end. */
  apiUrl: string;
  /** Replaces the tracking domains of all programmes, for the sandbox; null: each programme has its own. */
  clickUrl?: string | null;
  timeoutMs?: number;
  fetch?: typeof fetch;
  now?: () => Date;
  /** Impact allows 500 calls an hour to event-level resources such as Actions. */
  callsPerHour?: number;
  /** Rows a page: Impact accepts no fewer than 2,000. */
  pageSize?: number;
}

const HOUR_MS = 3_600_000;
/** Impact refuses more than 45 days; a day less keeps clear of how it counts them. */
const MAX_WINDOW_MS = 44 * 24 * HOUR_MS;
/** A window that is still too long when it is this short is not split further. */
const MIN_WINDOW_MS = HOUR_MS;
/** As many actions are read one by one; more are read from the list first. */
const FEW_ACTIONS = 5;
/** `1000.4636.158133` */
const IMPACT_ID = /^\d{1,20}(?:\.\d{1,20}){0,3}$/;
const NOTHING: ReportAnswer = { transactions: [], unreadable: [] };
/** Reversed actions whose items are remembered: a reversal is final, and its items cost a call each. */
const MAX_REVERSALS = 20_000;

/** The filter that each pass asks by. State changes are not updates at Impact, so approvals are found by the locking date. */
const DATES: Readonly<Partial<Record<ReportPass, readonly [string, string]>>> = {
  transaction: ["ActionDateStart", "ActionDateEnd"],
  validation: ["LockingDateStart", "LockingDateEnd"],
};

const FILE: ReportFileShape = {
  network: "Impact",
  list: ["Actions"],
  fields: [
    ...[
      "Id",
      "CampaignId",
      "State",
      "Amount",
      "Payout",
      "IntendedAmount",
      "IntendedPayout",
      "Currency",
      "Oid",
      "SubId1",
    ],
    ...["ReferringDate", "EventDate", "CreationDate", "LockingDate", "ClearedDate"],
  ],
  parseJson: parseExactJson,
};

/**
 * Creates Impact's adapter (C2): links on the advertiser's tracking domain, unsigned event notifications, the list of actions, and its feed of updates
 * (`update`), which names the actions that were changed or reversed.
 */
export function createImpactProvider(options: ImpactOptions): NetworkProvider & { readonly claims: ClaimFiler } {
  const now = options.now ?? (() => new Date());
  const budget = createCallBudget({ calls: options.callsPerHour ?? 500, perMs: HOUR_MS });
  const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString("base64");
  const secrets = [options.authToken, encodeURIComponent(options.authToken), credentials];
  const api: NetworkApi = createNetworkApi({
    network: "Impact",
    apiUrl: options.apiUrl,
    headers: { authorization: `Basic ${credentials}` },
    waitHeaders: ["retry-after", "ratelimit-reset"],
    budget,
    timeoutMs: options.timeoutMs,
    fetch: options.fetch,
  });
  const account = `${options.apiUrl.replace(/\/$/, "")}/Mediapartners/${encodeURIComponent(options.accountSid)}`;
  const reversals = new Map<string, Reversal>();
  const pageSize = options.pageSize ?? 10_000;

  async function reversalOf(row: unknown): Promise<Reversal | null> {
    const id = idOf(row);
    if (!isReversed(row) || typeof id !== "string" || !IMPACT_ID.test(id)) return null;
    const known = reversals.get(id);
    if (known) return known;
    const { status, body, isReadable } = await api.send(new URL(`${account}/Actions/${id}/Items`));
    if (!isReadable || (status >= 400 && status !== 404))
      throw new NetworkUnavailableError("Impact did not say why an action was reversed.");
    const items = typeof body === "object" && body !== null && "ActionItems" in body ? body.ActionItems : [];
    const reversal = readReversal(Array.isArray(items) ? items : []);
    if (reversals.size >= MAX_REVERSALS) reversals.delete(reversals.keys().next().value!);
    reversals.set(id, reversal);
    return reversal;
  }

  async function readActions(rows: readonly unknown[], observedAt: Date): Promise<ReportAnswer> {
    const found = new Map<unknown, Reversal | null>();
    for (const row of rows) found.set(row, await reversalOf(row));
    return readReportRows(
      rows,
      (row) => readImpactAction(row, observedAt, found.get(row) ?? null),
      (row) => rowName("Impact action", row, "Id", IMPACT_ID),
    );
  }

  /** Returns the action as it is now; null for an unknown one. */
  async function fetchAction(id: string): Promise<ReportAnswer | null> {
    const observedAt = now();
    const { status, body, isReadable } = await api.send(new URL(`${account}/Actions/${encodeURIComponent(id)}`));
    if (status === 404 || status === 400 || status === 422) return null;
    if (!isReadable || typeof body !== "object" || body === null || !("Id" in body))
      throw new NetworkUnavailableError("Impact's answer to a report request could not be read.");
    const answer = await readActions([body], observedAt);
    const isOther = answer.transactions.some(({ networkTransactionId }) => networkTransactionId !== id);
    return isOther ? { transactions: [], unreadable: [`Impact answered with another action than ${id}`] } : answer;
  }

  /** Reads one list in windows; windows whose list is too long are halved. */
  async function* readWindow(
    list: { path: string; key: string; dates: readonly [string, string] },
    window: { from: Date; to: Date },
  ): AsyncGenerator<{ rows: unknown[]; problem: string | null; observedAt: Date; coveredUntil: Date | null }> {
    const url = new URL(`${account}/${list.path}`);
    url.searchParams.set(list.dates[0], impactInstant(window.from));
    // Rounded up to the next second: the filters count whole seconds.
    url.searchParams.set(list.dates[1], impactInstant(new Date(window.to.getTime() + 999)));
    try {
      let observedAt = now();
      for await (const page of readImpactList(api, { url, key: list.key, pageSize })) {
        yield { rows: page.rows, problem: page.problem, observedAt, coveredUntil: page.isLast ? window.to : null };
        observedAt = now();
      }
    } catch (error) {
      if (!(error instanceof ListTooLongError)) throw error;
      const half = Math.ceil((window.to.getTime() - window.from.getTime()) / 2);
      if (half < MIN_WINDOW_MS) throw new NetworkUnavailableError("Impact's list is too long even for an hour.");
      for (const part of splitTime(window.from, window.to, half)) yield* readWindow(list, part);
    }
  }

  /**
   * The actions that the feed of updates names, each in its current state. The feed holds differences only, so the actions are read from the list by
   * the date of their last update, and those that it lacks one by one.
   */
  async function* readUpdates(window: { from: Date; to: Date }): AsyncGenerator<ReportPage> {
    const dates = ["StartDate", "EndDate"] as const;
    const named = new Set<string>();
    for await (const { rows, problem } of readWindow({ path: "ActionUpdates", key: "ActionUpdates", dates }, window)) {
      const unreadable = problem === null ? [] : [problem];
      for (const row of rows) {
        const id = typeof row === "object" && row !== null && "ActionId" in row ? row.ActionId : null;
        if (typeof id === "string" && IMPACT_ID.test(id)) named.add(id);
        else unreadable.push("Impact update: it names no action");
      }
      yield { transactions: [], unreadable, coveredUntil: null };
    }
    if (named.size > FEW_ACTIONS)
      for await (const { rows, observedAt } of readWindow({ path: "Actions", key: "Actions", dates }, window)) {
        const answer = await readActions(rows, observedAt);
        for (const { networkTransactionId } of answer.transactions) named.delete(networkTransactionId);
        yield { ...answer, coveredUntil: null };
      }
    for (const id of named) yield { ...((await fetchAction(id)) ?? NOTHING), coveredUntil: null };
    yield { ...NOTHING, coveredUntil: window.to };
  }

  return {
    slug: "impact",
    passes: ["transaction", "validation", "update"],
    // Each advertiser has a tracking domain of its own: pages ask none of them.
    linkOrigins: options.clickUrl ? [new URL(options.clickUrl).origin] : [],
    buildLink: ({ programmeLink, ...link }) =>
      impactLink({ ...link, programmeLink: programmeLink ?? "", clickUrl: options.clickUrl ?? null }),
    readPush: readImpactPush,
    async *fetchTransactions({ pass, from, to }) {
      for (const window of splitTime(from, to, MAX_WINDOW_MS)) {
        const dates = DATES[pass];
        if (dates === undefined) {
          yield* readUpdates(window);
          continue;
        }
        for await (const { rows, problem, observedAt, coveredUntil } of readWindow(
          { path: "Actions", key: "Actions", dates },
          window,
        )) {
          const answer = await readActions(rows, observedAt);
          yield { ...answer, unreadable: [...answer.unreadable, ...(problem === null ? [] : [problem])], coveredUntil };
        }
      }
    },
    async fetchTransactionsById(ids) {
      const answer: ReportAnswer = { transactions: [], unreadable: [] };
      for (const id of ids) {
        const one = await fetchAction(id);
        answer.transactions.push(...(one?.transactions ?? []));
        answer.unreadable.push(...(one?.unreadable ?? []));
      }
      return answer;
    },
    splitIds: (ids) => ids.map((id) => [id]),
    // A file does not have the items, which alone say why an action was reversed: Impact is not asked for them.
    readReportFile: (text, observedAt) =>
      readReportFile(text, FILE, (rows) =>
        readReportRows(
          rows,
          (row) => readImpactAction(row, observedAt),
          (row) => rowName("Impact action", row, "Id", IMPACT_ID),
        ),
      ),
    claims: createImpactClaims({ api, account, secrets }),
    callsLeft: () => budget.left(),
  };
}

function idOf(row: unknown): unknown {
  return typeof row === "object" && row !== null && "Id" in row ? row.Id : null;
}
