import type { FeedProgramme, FeedPromotion } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { recordId } from "@farthing/core/catalogue-imports/read-records.server.ts";
import { NetworkUnavailableError, type NetworkProvider, type RawPush } from "@farthing/core/networks/provider.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** What a network's tests provide to the suite that all adapters share. Answers, rows and records are in the network's own format. */
export interface AffiliateHarness {
  name: string;
  create(options: { fetch: typeof fetch; now: () => Date }): NetworkProvider;
  /** Returns the programme, landing page and reference that a link carries. */
  readLink(link: URL): { networkProgrammeId: string | null; landingUrl: string | null; reference: string | null };
  /** Returns a push about this transaction, as the network sends it. */
  push(networkTransactionId: string): RawPush;
  /** Returns the id that the push above names; by default the same. */
  pushedId?(networkTransactionId: string): string;
  /** Returns the network's answer with these rows. */
  answer(rows: readonly unknown[]): Response;
  /** Rows, and the transactions they must become; `observedAt` and `raw` are filled in by the suite. */
  rows: Record<string, { row: unknown; becomes: Omit<ReportedTransaction, "observedAt" | "raw"> }>;
  unreadableRow: unknown;
  maxWindowDays: number;
  /** Returns the window that a report request asks for. */
  windowOf(request: Request): { from: Date; to: Date };
  /** Null for a network without a feed. Records must hold every field that core checks (`fieldNames`). */
  feed: {
    adapter: FeedAdapter;
    programme: { record: object; becomes: FeedProgramme };
    promotion: { record: object; becomes: FeedPromotion };
  } | null;
}

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

    test("C1 a link carries programme, landing page and reference, each once and whole", () => {
      fc.assert(
        fc.property(
          fc.stringMatching(/^[A-Za-z0-9_-]{22}$/),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          (reference, landingUrl) => {
            const link = new URL(provider.buildLink({ networkProgrammeId: "4471", landingUrl, reference }));
            expect(link.protocol).toMatch(/^https?:$/);
            expect(harness.readLink(link)).toEqual({ networkProgrammeId: "4471", landingUrl, reference });
          },
        ),
      );
    });

    test("S1 a landing page cannot add parameters of its own or break the header", () => {
      const landingUrl = "https://shop.example/?a=1&clickref=stolen#x\r\nSet-Cookie: a=b";
      const link = provider.buildLink({ networkProgrammeId: "1", landingUrl, reference: "r".repeat(22) });
      expect(link).toMatch(/^[\x21-\x7e]+$/);
      expect(harness.readLink(new URL(link)).reference).toBe("r".repeat(22));
    });
  });

  describe(`C2 ${harness.name}: pushes`, () => {
    const { provider } = withAnswers(() => harness.answer([]));

    test("C2 a push names its transaction", () => {
      expect(provider.readPush(harness.push("259630312"))).toEqual({
        outcome: "read",
        networkTransactionId: harness.pushedId?.("259630312") ?? "259630312",
      });
    });

    test("S2 any bytes are read or reported as unreadable, and nothing is thrown", () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 2_000 }),
          fc.constantFrom(harness.push("1").contentType, "application/json", "", "text/html"),
          (body, contentType) => {
            expect(["read", "unreadable"]).toContain(provider.readPush({ body, contentType }).outcome);
          },
        ),
      );
      expect(provider.readPush({ ...harness.push("1"), body: new Uint8Array() }).outcome).toBe("unreadable");
    });
  });

  describe(`C2 ${harness.name}: report`, () => {
    test.each(Object.entries(harness.rows))("C2 a row is understood: %s", async (_, { row, becomes }) => {
      const { provider } = withAnswers(() => harness.answer([row]));
      expect(await provider.fetchTransactions(window)).toEqual({
        transactions: [{ ...becomes, observedAt: NOW, raw: row }],
        unreadable: [],
      });
    });

    test("C2 an unreadable row is reported and does not hold up the others", async () => {
      const [first] = Object.values(harness.rows);
      const { provider } = withAnswers(() => harness.answer([harness.unreadableRow, first!.row]));
      const { transactions, unreadable } = await provider.fetchTransactions(window);
      expect(transactions).toHaveLength(1);
      expect(unreadable).toHaveLength(1);
    });

    test("C2 unknown transactions are missing from the answer", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      expect(await provider.fetchTransactionsById(["1", "2"])).toEqual({ transactions: [], unreadable: [] });
      expect(requests).toHaveLength(1);
    });

    test("C2 an empty list of ids makes no request", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      expect(await provider.fetchTransactionsById([])).toEqual({ transactions: [], unreadable: [] });
      expect(requests).toHaveLength(0);
    });

    test("C2 a long time is requested in windows that the network allows, without gaps", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      const from = new Date(NOW.getTime() - 100 * DAY_MS);
      await provider.fetchTransactions({ pass: provider.passes[0]!, from, to: NOW });
      const windows = requests.map(harness.windowOf);
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
    ])("R1 a network that %s is unavailable", async (_, answer) => {
      const { provider } = withAnswers(answer);
      await expect(provider.fetchTransactionsById(["1"])).rejects.toThrow(NetworkUnavailableError);
    });

    test("C2 the network's Retry-After is returned", async () => {
      const { provider } = withAnswers(() => new Response(null, { status: 429, headers: { "retry-after": "17" } }));
      await expect(provider.fetchTransactionsById(["1"])).rejects.toMatchObject({ retryAfterSeconds: 17 });
    });

    test("C2 calls above the network's limit are refused without a request", async () => {
      const { provider, requests } = withAnswers(() => harness.answer([]));
      const allowed = provider.callsLeft();
      for (let i = 0; i < allowed; i++) await provider.fetchTransactionsById(["1"]);
      expect(provider.callsLeft()).toBe(0);
      await expect(provider.fetchTransactionsById(["1"])).rejects.toThrow(NetworkUnavailableError);
      expect(requests).toHaveLength(allowed);
    });
  });

  const { feed } = harness;
  // Some networks have no feed of offers.
  describe.skipIf(feed === null)(`C2 ${harness.name}: feed`, () => {
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

function withValue(record: object, [key, ...rest]: readonly string[], value: unknown): object {
  if (key === undefined) return record;
  const before = (record as Record<string, unknown>)[key];
  return { ...record, [key]: rest.length === 0 ? value : withValue(before as object, rest, value) };
}
