import type { FeedProgramme, FeedPromotion } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { recordId } from "@farthing/core/catalogue-imports/read-records.server.ts";
import { NetworkUnavailableError, type NetworkProvider, type RawPush } from "@farthing/core/networks/provider.ts";
import { sumRows } from "@farthing/core/networks/correction-rows.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import fc from "fast-check";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { joinPages } from "./report-rows.ts";

/** Said in place of a case that a network cannot have: the sentence why. */
export interface NotHere {
  notHere: string;
}

/** A row in the network's own format, and the transaction it must become; `observedAt` and `raw` are filled in by the suite. */
export interface RowCase {
  row: unknown;
  becomes: Omit<ReportedTransaction, "observedAt" | "raw">;
  /** True for a row without some of its fields: it is understood in an answer, and refused in a file, which may have been cut down. */
  isPart?: true;
}

/** What every network is asked about. */
export type CommonCase =
  | "pending"
  | "approved"
  | "declined with a reason"
  | "declined for an unknown reason"
  | "paid to us"
  | "amended"
  | "without a reference"
  | "of a lead"
  | "in a foreign currency"
  | "in a currency without pennies"
  | "approved item by item"
  | "at a moment of daylight saving time"
  | "with amounts as text";

/** What a network's tests provide to the suite that all adapters share. Answers, rows and records are in the network's own format. */
export interface AffiliateHarness {
  name: string;
  create(options: { fetch: typeof fetch; now: () => Date }): NetworkProvider;
  /** Returns the programme's own link, for networks whose links need it. */
  programmeLink?(networkProgrammeId: string): string;
  /** Returns the programme, landing page and reference that a link carries. */
  readLink(link: URL): { networkProgrammeId: string | null; landingUrl: string | null; reference: string | null };
  /** Returns a push about this transaction, as the network sends it. */
  push: ((networkTransactionId: string) => RawPush) | NotHere;
  /** Returns the id that the push above names; by default the same. */
  pushedId?(networkTransactionId: string): string;
  /** Returns the network's answer with these rows: one page, by default the last. */
  answer(rows: readonly unknown[], page?: { hasMore: boolean }): Response;
  /** Whether a long report comes in pages. */
  pages: "paged" | NotHere;
  cases: Record<CommonCase, RowCase | NotHere>;
  /** Returns what a row becomes in a file, for a network that says more of it elsewhere. */
  inFile?(becomes: RowCase["becomes"]): RowCase["becomes"];
  /** Rows beyond the common cases. */
  rows?: Record<string, RowCase>;
  /** A sale, rows that correct it, and what they sum to. */
  corrections:
    | { original: unknown; corrections: readonly unknown[]; becomes: Partial<ReportedTransaction> }
    | { original: unknown; corrections: readonly unknown[]; becomes: Partial<ReportedTransaction> }[]
    | NotHere;
  unreadableRow: unknown;
  /** Two ids that the network does not know, the requests that it takes to learn so, and their answer. By default "1" and "2", in one, without rows. */
  unknownIds?: { ids: readonly [string, string]; requests: number; answer?: () => Response };
  /** What must never stand in an error or a log line: the credentials that `create` uses. */
  secrets: readonly string[];
  maxWindowDays: number;
  /** Returns the window that a report request asks for. */
  windowOf(request: Request): { from: Date; to: Date } | Promise<{ from: Date; to: Date }>;
  /** Null for a network without a feed. Records must hold every field that core checks (`fieldNames`). */
  feed:
    | {
        adapter: FeedAdapter;
        programme: { record: object; becomes: FeedProgramme };
        promotion: { record: object; becomes: FeedPromotion };
      }
    | NotHere;
}

/** More than 2^53: as a double it would end in ...000. */
const BIG_ID = "9007199254740993123";
const NOW = new Date("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;

/** Tests the contract of NetworkProvider and FeedAdapter (C2). Call it at the top level of a test file. */
export function affiliateContract(harness: AffiliateHarness): void {
  const withAnswers = (...answers: (() => Response | Promise<Response>)[]) => {
    const requests: Request[] = [];
    let next = 0;
    const provider = harness.create({
      now: () => NOW,
      fetch: async (input, init) => {
        requests.push(new Request(input, init));
        return answers[Math.min(next++, answers.length - 1)]!();
      },
    });
    return { provider, requests };
  };
  const window = { pass: "transaction" as const, from: new Date(NOW.getTime() - DAY_MS), to: NOW };

  describe(`C2 ${harness.name}: links`, () => {
    const { provider } = withAnswers(() => harness.answer([]));
    const own = (id: string) => ({ programmeLink: harness.programmeLink?.(id) ?? null });

    test("C1 a link carries programme, landing page and reference, each once and whole", () => {
      fc.assert(
        fc.property(
          fc.stringMatching(/^[A-Za-z0-9_-]{22}$/),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          (reference, landingUrl) => {
            const link = new URL(
              provider.buildLink({ networkProgrammeId: "4471", ...own("4471"), landingUrl, reference }),
            );
            expect(link.protocol).toMatch(/^https?:$/);
            expect(harness.readLink(link)).toEqual({ networkProgrammeId: "4471", landingUrl, reference });
          },
        ),
      );
    });

    test("S1 a landing page cannot add parameters of its own or break the header", () => {
      const landingUrl = "https://shop.example/?a=1&clickref=stolen#x\r\nSet-Cookie: a=b";
      const link = provider.buildLink({ networkProgrammeId: "1", ...own("1"), landingUrl, reference: "r".repeat(22) });
      expect(link).toMatch(/^[\x21-\x7e]+$/);
      expect(harness.readLink(new URL(link)).reference).toBe("r".repeat(22));
    });
  });

  describe(`C2 ${harness.name}: pushes`, () => {
    const { provider } = withAnswers(() => harness.answer([]));
    const { push } = harness;
    const sample = "notHere" in push ? null : push("1");

    test.each("notHere" in push ? [harness.name] : [])(`C2 no push is read: ${whyNotHere(push)}`, () => {
      for (const contentType of ["application/x-www-form-urlencoded", "application/json"])
        expect(provider.readPush({ contentType, body: new TextEncoder().encode("id=1") }).outcome).toBe("unreadable");
    });

    test.each(sample !== null ? [harness.name] : [])(
      "C2 a push names its transaction, also by an id beyond 2^53",
      () => {
        if ("notHere" in push) return;
        for (const id of ["259630312", BIG_ID])
          expect(provider.readPush(push(id))).toEqual({
            outcome: "read",
            networkTransactionId: harness.pushedId?.(id) ?? id,
          });
      },
    );

    test("S2 any bytes are read or reported as unreadable, and nothing is thrown", () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 2_000 }),
          fc.constantFrom(sample?.contentType ?? "text/plain", "application/json", "", "text/html"),
          (body, contentType) => {
            expect(["read", "unreadable"]).toContain(provider.readPush({ body, contentType }).outcome);
          },
        ),
      );
      const empty = { contentType: sample?.contentType ?? "text/plain", body: new Uint8Array() };
      expect(provider.readPush(empty).outcome).toBe("unreadable");
    });
  });

  describe(`C2 ${harness.name}: report`, () => {
    const known = Object.entries({ ...harness.cases, ...harness.rows });
    const cases = known.filter((one): one is [string, RowCase] => !("notHere" in one[1]));
    const [, first] = cases[0]!;
    const unknown: NonNullable<AffiliateHarness["unknownIds"]> = harness.unknownIds ?? { ids: ["1", "2"], requests: 1 };
    const unknownAnswer = unknown.answer ?? (() => harness.answer([]));

    test.each(cases)("C2 a row is understood: %s", async (_, { row, becomes }) => {
      const { provider } = withAnswers(() => harness.answer([row]));
      expect(await joinPages(provider.fetchTransactions(window))).toEqual({
        transactions: [{ ...becomes, observedAt: NOW, raw: row }],
        unreadable: [],
      });
    });

    test.each(cases)(
      "C2 a row is understood in a file that was downloaded, as JSON and as CSV: %s",
      async (_, { row, becomes, isPart }) => {
        const { provider, requests } = withAnswers(() => harness.answer([]));
        const read = expect.objectContaining({ ...(harness.inFile?.(becomes) ?? becomes), observedAt: NOW });
        const json = await harness.answer([row]).text();
        if (isPart) return expect(provider.readReportFile(json, NOW)).toMatchObject({ outcome: "unreadable" });
        for (const text of [json, csvOf(row as object)]) {
          const reading = provider.readReportFile(text, NOW);
          expect(reading).toEqual({ outcome: "read", answer: { transactions: [read], unreadable: [] } });
        }
        expect(requests, "nobody is asked").toEqual([]);
      },
    );

    test("C2 a file that is no report is refused with words that say what to do, and a bad row holds up no other", async () => {
      const { provider } = withAnswers(() => harness.answer([]));
      const good = csvOf(first.row as object);
      const [header = ""] = good.split("\n");
      for (const text of [
        "",
        "  \n",
        "[",
        "{}",
        "not a report",
        `${header.replace(/^"[^"]*",?/, "")}\n`,
        `${header},"__proto__.x"\n`,
      ])
        expect(provider.readReportFile(text, NOW), text).toEqual({
          outcome: "unreadable",
          problem: expect.stringMatching(/^[A-Z].+\.$/) as string,
        });
      const shortened = provider.readReportFile(good.replace(/\n"[^"]*"/, '\n"2.5963E+11"'), NOW);
      expect("problem" in shortened && shortened.problem).toMatch(/Line 2.*spreadsheet/);
      const counts = (text: string) => {
        const reading = provider.readReportFile(text, NOW);
        return reading.outcome === "read" && [reading.answer.transactions.length, reading.answer.unreadable.length];
      };
      const cells = header.replaceAll(/"[^"]*"/g, '"x"');
      expect(counts(`\uFEFF${good}\r\n${cells}\r\n`)).toEqual([1, 1]);
      expect(counts(await harness.answer([harness.unreadableRow, first.row]).text())).toEqual([1, 1]);
    });

    test("C2 every common case is understood, or the network has a reason not to have it", () => {
      for (const [name, one] of known) if ("notHere" in one) expect(one.notHere, name).toMatch(/^\S.{14,}\.$/);
    });

    test("C2 an id beyond 2^53 is returned to its last digit", async () => {
      const id = first.becomes.networkTransactionId.match(/\d{4,}/)?.[0];
      expect(id, "the first case needs an id with at least 4 digits").toBeDefined();
      const text = (await harness.answer([first.row]).text()).replaceAll(id!, BIG_ID);
      const { provider } = withAnswers(() => new Response(text));
      const { transactions } = await joinPages(provider.fetchTransactions(window));
      expect(transactions[0]!.networkTransactionId).toBe(first.becomes.networkTransactionId.replaceAll(id!, BIG_ID));
    });

    test("C2 an unreadable row is reported and does not hold up the others", async () => {
      const { provider } = withAnswers(() => harness.answer([harness.unreadableRow, first.row, null, 7, "x", []]));
      const { transactions, unreadable } = await joinPages(provider.fetchTransactions(window));
      expect(transactions).toHaveLength(1);
      expect(unreadable).toHaveLength(5);
    });

    test("C2 a row with text that can't be stored is reported and does not hold up the others", async () => {
      const row = first.row as object;
      const { provider } = withAnswers(() =>
        harness.answer([{ ...row, note: ["a\0b"] }, first.row, { ...row, note: { "\ud83d": 1 } }]),
      );
      const { transactions, unreadable } = await joinPages(provider.fetchTransactions(window));
      expect(transactions).toHaveLength(1);
      expect(unreadable).toEqual([expect.stringMatching(/text/), expect.stringMatching(/text/)]);
    });

    test("S2 any JSON in place of a field of a row is read or reported, and nothing is thrown", async () => {
      const fields = fc.constantFrom(...Object.keys(first.row as object));
      await fc.assert(
        fc.asyncProperty(fields, fc.jsonValue(), async (field, value) => {
          const { provider } = withAnswers(() => harness.answer([{ ...(first.row as object), [field]: value }]));
          const { transactions, unreadable } = await joinPages(provider.fetchTransactions(window));
          expect(transactions.length + unreadable.length).toBe(1);
        }),
      );
    });

    const { pages } = harness;
    test.each(pages === "paged" ? [harness.name] : [])(
      "C2 pages are handed on as they arrive whole, and the pages before a failure stand",
      async () => {
        const { provider } = withAnswers(
          () => harness.answer([first.row], { hasMore: true }),
          () => harness.answer([first.row], { hasMore: true }),
          () => new Response("{", { status: 200 }),
        );
        const read: number[] = [];
        await expect(async () => {
          for await (const page of provider.fetchTransactions(window)) read.push(page.transactions.length);
        }).rejects.toThrow(NetworkUnavailableError);
        expect(read).toEqual([1, 1]);
      },
    );
    test.each(pages === "paged" ? [harness.name] : [])("C2 a report ends with its last page", async () => {
      const { provider } = withAnswers(
        () => harness.answer([first.row], { hasMore: true }),
        () => harness.answer([first.row]),
        () => new Response("{", { status: 500 }),
      );
      expect((await joinPages(provider.fetchTransactions(window))).transactions).toHaveLength(2);
    });
    test.each(pages !== "paged" ? [harness.name] : [])(
      `C2 one answer is the whole window: ${whyNotHere(pages)}`,
      async () => {
        const { provider, requests } = withAnswers(() => harness.answer([first.row]));
        await joinPages(provider.fetchTransactions(window));
        expect(requests).toHaveLength(1);
      },
    );

    test("C2 a read window is covered to its end", async () => {
      const { provider } = withAnswers(() => harness.answer([]));
      const covered: (Date | null)[] = [];
      for await (const page of provider.fetchTransactions(window)) covered.push(page.coveredUntil);
      expect(covered.at(-1)).toEqual(window.to);
    });

    const { corrections } = harness;
    const sets = "notHere" in corrections ? [] : [corrections].flat();
    test.each(sets)("C2 corrections sum with their original in any order, and one alone waits", async (set) => {
      const { provider } = withAnswers(() => harness.answer([set.original, ...set.corrections]));
      const { transactions, unreadable } = await joinPages(provider.fetchTransactions(window));
      expect(unreadable).toEqual([]);
      expect(new Set(transactions.map(({ networkTransactionId }) => networkTransactionId)).size).toBe(1);
      expect(new Set(transactions.map(({ correction }) => correction?.rowId)).size).toBe(transactions.length);
      expect(sumRows(transactions, NOW)?.transaction).toMatchObject(set.becomes);
      expect(sumRows([...transactions].reverse(), NOW)).toEqual(sumRows(transactions, NOW));
      expect(sumRows(transactions.slice(1), NOW)).toBeNull();
    });
    test.each("notHere" in corrections ? [harness.name] : [])(
      `C2 a row is the whole transaction: ${whyNotHere(corrections)}`,
      async () => {
        const { provider } = withAnswers(() => harness.answer(cases.map(([, { row }]) => row)));
        const { transactions } = await joinPages(provider.fetchTransactions(window));
        expect(transactions.filter(({ correction }) => correction)).toEqual([]);
      },
    );

    test("C2 unknown transactions are missing from the answer", async () => {
      const { provider, requests } = withAnswers(unknownAnswer);
      expect(await provider.fetchTransactionsById(unknown.ids)).toEqual({ transactions: [], unreadable: [] });
      expect(requests).toHaveLength(unknown.requests);
    });

    test("C2 an empty list of ids makes no request", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      expect(await provider.fetchTransactionsById([])).toEqual({ transactions: [], unreadable: [] });
      expect(requests).toHaveLength(0);
    });

    test("C2 ids that are split for polling are all asked for, each once", () => {
      const { provider } = withAnswers(() => harness.answer([]));
      expect((provider.splitIds?.(unknown.ids) ?? [unknown.ids]).flat().sort()).toEqual([...unknown.ids].sort());
    });

    test("C2 a long time is requested in windows that the network allows, without gaps", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      const from = new Date(NOW.getTime() - 100 * DAY_MS);
      await joinPages(provider.fetchTransactions({ pass: provider.passes[0]!, from, to: NOW }));
      const windows = await Promise.all(requests.map(async (request) => harness.windowOf(request)));
      expect(windows[0]!.from.getTime()).toBeLessThanOrEqual(from.getTime());
      expect(windows.at(-1)!.to.getTime()).toBeGreaterThanOrEqual(NOW.getTime());
      windows.forEach((one, i) => {
        expect(one.to.getTime() - one.from.getTime()).toBeLessThanOrEqual(harness.maxWindowDays * DAY_MS);
        if (i > 0) expect(one.from.getTime()).toBeLessThanOrEqual(windows[i - 1]!.to.getTime());
      });
    });

    test.each<[string, () => Response | Promise<Response>]>([
      ["is down", () => Promise.reject(new TypeError("fetch failed"))],
      ["has a fault", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
      ["refuses the token", () => Response.json({ error: "Unauthorized" }, { status: 401 })],
      [
        "answers with a page",
        () => new Response("<html>maintenance</html>", { headers: { "content-type": "text/html" } }),
      ],
      ["answers with something else", () => Response.json("nothing")],
      ["stops half way", () => new Response('[{"id": 1, ')],
      ["answers with an empty body", () => new Response("")],
      ["breaks off its answer", () => new Response(brokenOff())],
    ])("R1 a network that %s is unavailable", async (_, answer) => {
      const { provider } = withAnswers(answer);
      await expect(provider.fetchTransactionsById([unknown.ids[0]])).rejects.toThrow(NetworkUnavailableError);
    });

    test.each<[string, () => Response | Promise<Response>]>([
      [
        "in an error",
        () =>
          Response.json(
            { error: harness.secrets, errors: harness.secrets.map((message) => ({ message })) },
            { status: 403 },
          ),
      ],
      [
        "in a refusal that is no error",
        () =>
          Response.json({
            errors: harness.secrets.map((message) => ({ message })),
            message: harness.secrets.join(" "),
          }),
      ],
      ["in a page", () => new Response(`<p>${harness.secrets.join(" ")}`)],
      [
        "as the cause",
        () => Promise.reject(new TypeError(harness.secrets.join(" "), { cause: new Error(harness.secrets.join(" ")) })),
      ],
    ])("S1 secrets that the network repeats %s stand in no error", async (_, answer) => {
      const { provider } = withAnswers(answer);
      const error: unknown = await provider.fetchTransactionsById([unknown.ids[0]]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NetworkUnavailableError);
      const shown = inspect(error, { depth: 10, showHidden: true });
      for (const secret of harness.secrets) expect(shown).not.toContain(secret);
    });

    test("S1 secrets that the network repeats in a row stand in no line about it", async () => {
      const row = first.row as Record<string, unknown>;
      for (const field of Object.keys(row)) {
        const value = harness.secrets.join(" ");
        const { provider } = withAnswers(() =>
          harness.answer([{ ...row, [field]: value }, value, { [value]: 1, id: value }]),
        );
        const { unreadable } = await joinPages(provider.fetchTransactions(window));
        for (const secret of harness.secrets) expect(unreadable.join()).not.toContain(secret);
      }
    });

    test("C2 the network's Retry-After is returned", async () => {
      const { provider } = withAnswers(() => new Response(null, { status: 429, headers: { "retry-after": "17" } }));
      await expect(provider.fetchTransactionsById([unknown.ids[0]])).rejects.toMatchObject({ retryAfterSeconds: 17 });
    });

    test.each(["Fri, 01 Jan 2100 00:00:00 GMT", "soon", "-4", "Fri, 01 Jan 1999 00:00:00 GMT", ""])(
      "C2 a Retry-After of %j is at most a day, or none",
      async (value) => {
        const { provider } = withAnswers(() => new Response(null, { status: 503, headers: { "retry-after": value } }));
        await expect(provider.fetchTransactionsById([unknown.ids[0]])).rejects.toMatchObject({
          retryAfterSeconds: value.includes("2100") ? 86_400 : null,
        });
      },
    );

    test("C2 calls above the network's limit are refused without a request", async () => {
      const { provider, requests } = withAnswers(unknownAnswer);
      const allowed = provider.callsLeft();
      for (let i = 0; i < allowed; i++) await provider.fetchTransactionsById([unknown.ids[0]]);
      expect(provider.callsLeft()).toBe(0);
      await expect(provider.fetchTransactionsById([unknown.ids[0]])).rejects.toThrow(NetworkUnavailableError);
      expect(requests).toHaveLength(allowed);
    });
  });

  const feed = "notHere" in harness.feed ? null : harness.feed;
  const whyNot = "notHere" in harness.feed ? harness.feed.notHere : "";
  test.each(feed === null ? [harness.name] : [])(`C2 ${harness.name} has no feed: ${whyNot}`, () =>
    expect(whyNot).toMatch(/\.$/),
  );
  describe.each(feed !== null ? [harness.name] : [])(`C2 ${harness.name}: feed`, () => {
    const files =
      feed === null
        ? []
        : ([
            ["programme", feed.adapter.programmes, feed.programme, "networkProgrammeId"],
            ["promotion", feed.adapter.promotions, feed.promotion, "networkOfferId"],
          ] as const);

    test.each(files)("C2 a %s is understood", (_, file, { record, becomes }) => {
      expect(file.schema.parse(structuredClone(record))).toEqual(becomes);
    });

    test.each(files)("C2 the id of a %s is found before the record is checked", (_, file, { record, becomes }, key) => {
      expect(recordId(record, file.idField)).toBe((becomes as unknown as Record<string, string>)[key]);
    });

    test.each(files)("C2 a problem with a %s names the network's field", (_, file, { record }) => {
      for (const field of Object.values<string>(file.fieldNames)) {
        const { error } = file.schema.safeParse(withValue(record, field.split("."), {}));
        expect(error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
      }
    });

    test.each(files)(
      "S2 any JSON in place of a %s is read or refused, and nothing is thrown",
      (_, file, { record }) => {
        const fields = fc.constantFrom(...Object.keys(record));
        fc.assert(
          fc.property(fields, fc.jsonValue(), (field, value) => {
            file.schema.safeParse(value);
            file.schema.safeParse({ ...record, [field]: value });
          }),
        );
      },
    );

    test("C2 dates without an offset are in a time zone that exists", () => {
      expect(() => new Intl.DateTimeFormat("en-GB", { timeZone: feed?.adapter.timeZone })).not.toThrow();
    });
  });
}

function whyNotHere(part: unknown): string {
  return typeof part === "object" && part !== null && "notHere" in part ? String(part.notHere) : "";
}

function withValue(record: object, [key, ...rest]: readonly string[], value: unknown): object {
  if (key === undefined) return record;
  const before = (record as Record<string, unknown>)[key];
  return { ...record, [key]: rest.length === 0 ? value : withValue(before as object, rest, value) };
}

function brokenOff(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"id": '));
      controller.error(new Error("the connection was reset"));
    },
  });
}

/** Writes a row of the network's API as CSV with a header: nested fields by their paths, lists as JSON. */
function csvOf(row: object): string {
  const cells = (value: unknown, path: string): [string, string][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, held]) => cells(held, path === "" ? key : `${path}.${key}`))
      : [
          [
            path,
            Array.isArray(value) ? JSON.stringify(value) : value === null || value === undefined ? "" : String(value),
          ],
        ];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const all = cells(row, "");
  return [all.map(([path]) => quoted(path)).join(","), all.map(([, text]) => quoted(text)).join(",")].join("\n");
}
