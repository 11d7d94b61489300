import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { creditHeldTransactions, recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const finance = await insertOperator(db, { role: "finance" });
const club = await makeClub(db, { networkSlug: "net-of-test" });
const PATH = "/admin/networks/exchange-rates";
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

const html = async (path = PATH) => (await admin.get(path, finance)).text();
/** A sale of $100.00 of a member, bought so many days ago. */
const sell = async (currency: string, days: number) => {
  const reference = await makeClick(db, club, { createdAt: daysAgo(days + 1) });
  const reported = reportedSale(club, reference, { currency, purchasedAt: daysAgo(days) });
  await recordReportedTransaction(db, { networkId: club.networkId, reported, now: NOW });
  return reported.networkTransactionId;
};
const saleOf = (id: string) =>
  db.selectFrom("network_transactions").selectAll().where("network_transaction_id", "=", id).executeTakeFirstOrThrow();
const rates = (currency: string) =>
  db
    .selectFrom("exchange_rates")
    .select(["rate_micros", "valid_from"])
    .where("currency", "=", currency)
    .orderBy("valid_from")
    .execute();
const entries = () =>
  db.selectFrom("audit_entries").selectAll().where("subject_type", "=", "exchange-rate").orderBy("seq").execute();

type Form = { currency: string; rate: string; from: string };
const ask = async (form: Form) => {
  const answer = await admin.post(PATH, finance, form);
  const page = await answer.text();
  return { status: answer.status, page, version: fieldIn(page, "version") };
};
const confirm = (form: Form & { version: string }, why = "HMRC’s rate of the month", operator = finance) =>
  admin.post(PATH, operator, { ...form, confirmed: "yes", why });
const set = async (form: Form) => confirm({ ...form, version: (await ask(form)).version });

describe("C2 C4 A3 exchange rates in the admin", () => {
  test("C2 A3 sales that wait are on home and the page, and a rate that is added credits those of its days in the next round", async () => {
    const [early, late] = [await sell("USD", 20), await sell("USD", 2)];
    const need = async () =>
      (await findNeeds(db, { role: "finance", now: NOW })).find(({ key }) => key === "exchange-rates");
    expect(await need()).toMatchObject({ count: 2, path: PATH });
    expect(await html()).toContain("2 from <time");
    const chosen = await html(`${PATH}?currency=USD`);
    expect(chosen, "the day of the first sale that waits").toContain(`value="${dayOf(daysAgo(20))}"`);

    const form = { currency: "USD", rate: "0.789", from: dayOf(daysAgo(5)) };
    const { status, page, version } = await ask(form);
    expect(status).toBe(200);
    for (const words of [
      "US$100.00 is £78.90",
      "£100.00 is US$126.74",
      "1 of 2 sales that wait",
      "1 sale goes on waiting",
    ])
      expect(page).toContain(words);
    expect(await rates("USD"), "nothing before the question is answered").toEqual([]);
    expect((await confirm({ ...form, version }, "")).status, "without a reason").toBe(422);
    const saved = await confirm({ ...form, version });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${PATH}?currency=USD&done=added`]);
    expect(await html(`${PATH}?currency=USD&done=added`)).toContain(
      "are credited when the networks’ reports are read the next time",
    );
    expect(await creditHeldTransactions(db, { now: NOW })).toBe(1);
    expect((await saleOf(late)).exchange_rate_micros).toBe(789_000);
    expect((await saleOf(early)).held_because).toBe("no_exchange_rate");
    expect(await need()).toMatchObject({ count: 1 });
    expect(await entries()).toMatchObject([
      {
        ...{ action: "exchange-rate.set", actor: finance.email, why: "HMRC’s rate of the month", before: null },
        after: { currency: "USD", pounds_per_unit: "0.789" },
      },
    ]);
  });

  test("C4 a rate of the same day is corrected with words, and a purchase keeps the rate that it had", async () => {
    const from = dayOf(daysAgo(9));
    await set({ currency: "EUR", rate: "0.5", from });
    const sale = await sell("EUR", 3);
    expect((await saleOf(sale)).exchange_rate_micros).toBe(500_000);
    const { page, version } = await ask({ currency: "EUR", rate: "0.855", from });
    expect(page).toContain("It replaces £0.50 of the same day. Sales that were converted with that one keep it.");
    const saved = await confirm({ currency: "EUR", rate: "0.855", from, version });
    expect(saved.headers.get("location")).toContain("done=corrected");
    expect(await rates("EUR")).toMatchObject([{ rate_micros: 855_000 }]);
    await creditHeldTransactions(db, { now: NOW });
    expect((await saleOf(sale)).exchange_rate_micros).toBe(500_000);
    expect((await entries()).at(-1)).toMatchObject({
      before: { currency: "EUR", pounds_per_unit: "0.5" },
      after: { currency: "EUR", pounds_per_unit: "0.855" },
    });
    expect((await ask({ currency: "EUR", rate: "0.855", from })).status, "nothing to change").toBe(409);
  });

  test("C4 the question warns of the rate the other way round, of a leap, and of a day far away", async () => {
    await set({ currency: "AUD", rate: "0.5", from: dayOf(daysAgo(40)) });
    const from = dayOf(daysAgo(1));
    const words = async (form: Partial<Form>) => (await ask({ currency: "AUD", rate: "0.51", from, ...form })).page;
    expect(await words({ rate: "2.01" })).toContain("looks like AUD for one pound, the other way round");
    expect(await words({ rate: "0.62" })).toContain("differ by more than 20 %");
    expect(await words({ from: dayOf(daysAgo(-60)) })).toContain("more than a month ahead");
    expect(await words({ from: dayOf(daysAgo(800)) })).toContain("more than a year ago");
    const plain = await words({});
    for (const warning of ["the other way round", "differ by", "ahead", "a year ago"])
      expect(plain).not.toContain(warning);
  });

  test("C4 the question warns of a rate for which six decimals are coarse", async () => {
    const words = async (rate: string) => (await ask({ currency: "IDR", rate, from: dayOf(daysAgo(1)) })).page;
    expect(await words("0.000047")).toContain("may be wrong by up to 1.1 %");
    expect(await words("0.0001")).not.toContain("may be wrong by");
  });

  test("C4 the question counts sales that this rate credits, not those of a later one or of an earlier one", async () => {
    for (const days of [30, 20, 10, 9]) await sell("CHF", days);
    for (const days of [25, 10.5]) {
      const values = { currency: "CHF", rate_micros: 880_000, valid_from: daysAgo(days) };
      await db.insertInto("exchange_rates").values(values).execute();
    }
    const words = async (days: number) =>
      (await ask({ currency: "CHF", rate: "0.89", from: dayOf(daysAgo(days)) })).page;
    expect(await words(22)).toContain("1 of 4 sales that wait");
    expect(await words(22)).toContain("1 sale goes on waiting");
    expect(await words(40)).toContain("1 of 4 sales that wait");
    expect(await words(40)).not.toContain("on waiting");
    expect(await words(15)).toContain("0 of 4 sales that wait");
  });

  test("C4 a question that somebody has overtaken is asked again, and nothing is saved", async () => {
    const form = { currency: "NZD", rate: "0.45", from: dayOf(daysAgo(1)) };
    const { version } = await ask(form);
    await set({ currency: "NZD", rate: "0.47", from: dayOf(daysAgo(3)) });
    const stale = await confirm({ ...form, version });
    expect(stale.status).toBe(409);
    const page = await stale.text();
    expect(page).toContain("has set a rate of");
    expect(await rates("NZD")).toMatchObject([{ rate_micros: 470_000 }]);
    expect((await confirm({ ...form, version: fieldIn(page, "version") })).status).toBe(303);
    expect(await rates("NZD")).toHaveLength(2);
  });

  test("C4 what is typed wrongly is refused in words, and nothing is lost", async () => {
    for (const [form, words] of [
      [{ currency: "USD", rate: "0,79", from: "2026-01-01" }, "at most six decimals"],
      [{ currency: "GBP", rate: "0.79", from: "2026-01-01" }, "Choose a currency."],
      [{ currency: "USD", rate: "0.79", from: "soon" }, "Choose the day"],
    ] as const) {
      const { status, page } = await ask(form);
      expect(status).toBe(422);
      expect(page).toContain(words);
      expect(page).toContain(`value="${form.rate}"`);
    }
  });

  test("A3 the list sorts by currency, by day and by sales that wait, and its file has the rates", async () => {
    const order = async (sort: string) =>
      [...(await html(`${PATH}?sort=${sort}`)).matchAll(/currency=([A-Z]{3})#rate-of/g)].map(([, code]) => code);
    expect(await order("currency")).toEqual(["AUD", "CHF", "EUR", "NZD", "USD"]);
    expect((await order("-waiting")).slice(0, 2)).toEqual(["CHF", "USD"]);
    expect((await order("-since"))[0]).toBe("NZD");
    const csv = await (await admin.get(`${PATH}.csv?sort=currency`, finance)).text();
    expect(csv).toContain(`AUD,0,0.50,${dayOf(daysAgo(40))},`);
    const catalogue = await insertOperator(db, { role: "catalogue" });
    expect((await admin.get(PATH, catalogue)).status).toBe(403);
    const form = { currency: "USD", rate: "0.8", from: dayOf(daysAgo(1)), version: "none" };
    expect((await confirm(form, "why", catalogue)).status).toBe(403);
  });
});
