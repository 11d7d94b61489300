import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";
import type { Stack } from "./stack.ts";
import { dayOf, PROGRAMME } from "./truth.ts";

/** A payment as the bank's file has it. */
export interface Payment {
  batch: number;
  name: string;
  amountPence: number;
  reference: string;
  processingDay: string;
}

export interface Operator {
  /** Takes what may leave into a batch, and returns the payments that the bank's files hold and did not hold before. */
  makeBatch(): Promise<Payment[]>;
  confirm(batch: number): Promise<void>;
  reportFailures(failures: readonly { payment: Payment; code: string }[]): Promise<void>;
  /** Stops a member's payouts. Returns whether the list of holds has the reason. */
  hold(memberNumber: string, reason: string): Promise<boolean>;
  lift(memberNumber: string): Promise<void>;
  /** Starts the programme for inviting friends. */
  startProgramme(): Promise<void>;
  /** Decides about the hold of a friend's referral. Returns whether there was one. */
  decideReferral(friendNumber: string, verdict: "lift" | "refuse"): Promise<boolean>;
  acceptProof(name: string): Promise<void>;
  /** Writes the claims that wait at a network into a pack. */
  packClaims(network: string): Promise<void>;
  declineClaim(claim: string, words: string): Promise<void>;
  suspend(email: string): Promise<void>;
  restore(email: string): Promise<void>;
  /** The commands that were killed while they ran. */
  readonly kills: number;
}

/** The club's operator at the command line. With `isKilled`, each command is ended by SIGKILL once, at a moment of chance, and run again. */
export function operatorOf(stack: Stack, random: Random, isKilled: () => boolean): Operator {
  const known = new Set<string>();
  /** Numbers of holds by the member's. */
  const holds = new Map<string, string>();
  let kills = 0;
  let files = 0;
  /** How long a command takes on this machine now: a kill falls within it. */
  let usualMs = 800;
  async function runFile(file: string, args: readonly string[], isDone: RegExp | null = null): Promise<string> {
    const wasKilled = isKilled();
    if (wasKilled) {
      const { code } = await stack.command(file, args, usualMs * (0.2 + 0.75 * random.next()));
      if (code === null) kills += 1;
    }
    const began = performance.now();
    const { code, text } = await stack.command(file, args);
    usualMs = performance.now() - began;
    // A command that was killed after its transaction has done its work.
    if (code !== 0 && !(wasKilled && isDone?.test(text)))
      throw new Error(`${file} ${args.join(" ")} ended with ${code}: ${text}`);
    return text;
  }
  const run = (...args: string[]) => runFile("manage-payouts.ts", args);
  const members = (action: string, email: string, isDone: RegExp) =>
    runFile("manage-members.ts", [action, "simulated", email], isDone);
  return {
    get kills() {
      return kills;
    },
    async makeBatch() {
      await run("batch");
      const batches = await run("batches");
      for (const [, number = ""] of batches.matchAll(/^(\d+) {2}made.* not approved$/gm))
        await runFile("manage-payouts.ts", ["approve", number, "the simulation has one operator"], /is approved/);
      // A command that was killed after its transaction has written no file: a file can be written again.
      const listed = [...batches.matchAll(/^(\d+) {2}made/gm)].map(([, number]) => Number(number));
      const written = new Set(readdirSync(stack.bankFolder));
      for (const number of listed) if (!written.has(`bacs-${number}.csv`)) await run("file", String(number));
      const payments = readdirSync(stack.bankFolder).flatMap((name) => {
        const [, number] = /^bacs-(\d+)\.csv$/.exec(name) ?? [];
        return number === undefined ? [] : readPayments(join(stack.bankFolder, name), Number(number));
      });
      const fresh = payments.filter(({ reference }) => !known.has(reference));
      for (const { reference } of fresh) known.add(reference);
      return fresh;
    },
    async hold(memberNumber, reason) {
      await run("hold", memberNumber, reason);
      const line = (await run("holds")).split("\n").find((one) => one.includes(` ${memberNumber} `));
      if (!line) throw new Error(`No hold of member ${memberNumber} is listed.`);
      holds.set(memberNumber, line.split(" ")[0]!);
      return line.endsWith(reason);
    },
    async lift(memberNumber) {
      await runFile("manage-payouts.ts", ["lift", holds.get(memberNumber)!], /There is no hold/);
    },
    async startProgramme() {
      const { friendPence, inviterPence, minCashbackPence, days, maxPerYear } = PROGRAMME;
      const pounds = [friendPence, inviterPence, minCashbackPence].map((pence) => (pence / 100).toFixed(2));
      await runFile("manage-referrals.ts", ["start", "simulated", ...pounds, String(days), String(maxPerYear)]);
    },
    async decideReferral(friendNumber, verdict) {
      const listed = await runFile("manage-referrals.ts", ["list"]);
      const [, own] = listed.split(`invited member ${friendNumber} `);
      const hold = /^ {2}hold (\S+)/m.exec(own ?? "")?.[1];
      if (hold === undefined) return false;
      await runFile("manage-referrals.ts", [verdict, hold, "We looked at both accounts"], /There is no hold/);
      return true;
    },
    async acceptProof(name) {
      const line = (await runFile("manage-verifications.ts", ["list"])).split("\n").find((one) => one.includes(name));
      if (!line) throw new Error(`No proof of ${name} is listed.`);
      await runFile("manage-verifications.ts", ["accept", line.split(" ")[0]!], /already accepted/);
    },
    async packClaims(network) {
      await runFile("manage-claims.ts", ["pack", network]);
    },
    async declineClaim(claim, words) {
      const args = ["decline", claim, "--reason", "not_found", "--note", words];
      await runFile("manage-claims.ts", args, /the claim is declined/);
    },
    async suspend(email) {
      await members("suspend", email, /already suspended/);
    },
    async restore(email) {
      await members("restore", email, /is not suspended/);
    },
    async confirm(batch) {
      await run("confirm", String(batch));
    },
    async reportFailures(failures) {
      files += 1;
      const path = join(stack.bankFolder, `failures-${files}-of-${dayOf(stack.now())}.csv`);
      const lines = failures.map(
        ({ payment, code }) => `${payment.reference},${(payment.amountPence / 100).toFixed(2)},${code}`,
      );
      writeFileSync(path, ["reference,amount,code", ...lines, ""].join("\n"));
      await run("failures", path);
      await run("failures", path); // a file that is read twice changes nothing
    },
  };
}

function readPayments(path: string, batch: number): Payment[] {
  const [, ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  return lines.map((line) => {
    const [, , name = "", amount = "", reference = "", processingDay = ""] = line.split(",");
    return { batch, name, amountPence: Math.round(Number(amount) * 100), reference, processingDay };
  });
}
