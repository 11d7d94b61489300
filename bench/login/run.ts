/**
 * Measures what the response time of a login reveals, and what a list of stolen passwords achieves (S1).
 * Run alone with: node bench/login/run.ts [--rounds 400] [--list 10000]
 * Starts its own PostgreSQL in a temporary folder. Calls the login directly, one at a time and in turns, so that only the account differs: a
 * known address with a wrong password, an unknown address, a suspended member with the right password; then the same for a forgotten password.
 */
import { parseArgs } from "node:util";
import { testPassword, visitOf, insertMemberWithPassword } from "@farthing/server/sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openAccounts } from "@farthing/server/sign-in/accounts.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { report } from "../figures.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "400" }, list: { type: "string", default: "10000" } },
});
const rounds = Number(values.rounds);
const TARGET_GAP = 0.1;
const list = Number(values.list);

const server = await startThrowawayServer({ durable: true });
const { db, close } = openDatabase({ url: server.url });
try {
  await migrate(server.url);
  const brand = await insertBrand(db, { slug: "timed", isDefault: true });
  const suspended = await insertMemberWithPassword(db, brand, "suspended@timed.test");
  await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", suspended).execute();
  for (let number = 0; number < rounds; number += 1)
    await insertMemberWithPassword(db, brand, `known-${number}@timed.test`);
  const accounts = openAccounts({ db, key: "key-of-the-bench", secretKeys: ["key"], publicScheme: "http" });
  const request = () => new Request("http://timed.test/login", { method: "POST" });
  let addresses = 0;
  const visit = () => visitOf(brand, `10.${(addresses += 1) >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`);
  const logIn = (email: string, password: string) => accounts.logIn(visit(), request(), { email, password });

  const kinds: Record<string, (round: number) => Promise<unknown>> = {
    "login: known address, wrong password": (round) => logIn(`known-${round}@timed.test`, "Wrong-password-1"),
    "login: unknown address": (round) => logIn(`unknown-${round}@timed.test`, "Wrong-password-1"),
    "login: suspended, right password": () => logIn("suspended@timed.test", testPassword),
    "forgotten: known address": (round) => accounts.forgotPassword(visit(), `known-${round}@timed.test`),
    "forgotten: unknown address": (round) => accounts.forgotPassword(visit(), `unknown-${round}@timed.test`),
  };
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = -20; round < rounds; round += 1) {
    // In another order each time, so that none always follows the same one.
    for (const [kind, run] of Object.entries(kinds).sort(() => Math.random() - 0.5)) {
      const from = performance.now();
      await run(Math.abs(round));
      if (round >= 0) times.get(kind)?.push(performance.now() - from);
    }
  }
  const at = (kind: string, share: number) => {
    const sorted = [...(times.get(kind) ?? [])].sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  };
  const shown = (ms: number) => `${Math.round(ms * 100) / 100} ms`;
  for (const kind of times.keys())
    console.log(`${kind.padEnd(40)} median ${shown(at(kind, 0.5))}, p95 ${shown(at(kind, 0.95))}`);

  for (const [one, other] of [
    ["login: known address, wrong password", "login: unknown address"],
    ["forgotten: known address", "forgotten: unknown address"],
  ] as const) {
    const [middle, late] = [0.5, 0.95].map((share) => at(one, share) / at(other, share) - 1) as [number, number];
    const inPercent = (gap: number) => `${Math.round(gap * 1000) / 10} %`;
    report({
      what: `${one} beside ${other}: apart at the median (${inPercent(late)} at p95)`,
      value: Math.abs(middle) * 100,
      unit: "%",
      target: { atMost: TARGET_GAP * 100 },
    });
  }

  await db.deleteFrom("login_tries").execute();
  const refusedOf = (outcomes: string[]) => outcomes.filter((outcome) => outcome === "refused").length;
  const guess = async (from: string, email: string) => {
    const credentials = { email, password: "Wrong-password-1" };
    return (await accounts.logIn(visitOf(brand, from), request(), credentials)).outcome;
  };
  const guesses: string[] = [];
  for (let number = 0; number < 50; number += 1) guesses.push(await guess("203.0.113.65", "known-0@timed.test"));
  console.log(`50 tries at one account from one address: ${refusedOf(guesses)} passwords were looked at`);

  const outcomes: string[] = [];
  const from = performance.now();
  for (let number = 0; number < list; number += 1)
    outcomes.push(
      await guess("203.0.113.66", number < rounds ? `known-${number}@timed.test` : `listed-${number}@timed.test`),
    );
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `a list of ${list} accounts from one address: ${refusedOf(outcomes)} passwords were looked at, the others told to wait, in ${Math.round(seconds)} s`,
  );
  const owner = { email: "known-0@timed.test", password: testPassword };
  const { outcome } = await accounts.logIn(visitOf(brand, "198.51.100.7"), request(), owner);
  console.log(`the owner of the first of them, elsewhere, with the right password: ${outcome}`);
  report({ what: "passwords looked at in 50 tries", value: refusedOf(guesses), unit: "tries", target: { atMost: 5 } });
  report({
    what: `passwords looked at in a list of ${list}`,
    value: refusedOf(outcomes),
    unit: "tries",
    target: { atMost: 101 },
  });
  if (outcome !== "logged-in") throw new Error(`The owner cannot get in: ${outcome}`);
} finally {
  await close();
  await server.stop();
}
