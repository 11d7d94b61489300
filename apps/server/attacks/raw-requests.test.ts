import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testPassword, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertOwner, operatorCookieOf } from "./operator.testing.ts";
import { rawCase, talk, type RawCase } from "./raw-requests.testing.ts";
import { cookieOf, realServer } from "./real-server.testing.ts";

const errorLines: string[] = [];
const server = await realServer({ hasAdmin: true, onErrorLine: (line) => void errorLines.push(line.slice(0, 600)) });
const one = await insertBrand(server.db, { slug: "one", isDefault: true });
const host = "one.test";
await insertMemberWithPassword(server.db, one, "ada@one.test");
let cookie = "";
let port = 0;
beforeAll(async () => {
  port = Number(new URL(server.origin(host)).port);
  // One browser of a member who is an owner too: pages of both are reached.
  const member = await cookieOf(server, { host, email: "ada@one.test", password: testPassword });
  cookie = `${member}; ${await operatorCookieOf(server.db, await insertOwner(server.db))}`;
});

/** Errors that would have ended the process. */
const faults: unknown[] = [];
const onFault = (error: unknown) => void faults.push(error);
/** Output of libraries past the log, in which each line has to be a record. */
const printed = (["log", "info", "warn", "error", "debug"] as const).map((method) => {
  const print = console[method];
  return {
    watch: () => void (console[method] = (...parts: unknown[]) => faults.push(["printed", method, ...parts])),
    leave: () => void (console[method] = print),
  };
});
beforeAll(() => {
  for (const { watch } of printed) watch();
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
});
afterAll(() => {
  for (const { leave } of printed) leave();
  process.off("uncaughtException", onFault);
  process.off("unhandledRejection", onFault);
});
beforeEach(() => void faults.splice(0));

const isServing = async () => (await server.get("/", { host })).status === 200;

/** Returns the first line of the answer to these bytes, or "" if the connection is closed without one. */
function answerTo(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(bytes, "latin1"));
    let answer = "";
    socket.on("error", () => resolve(answer));
    // A request that the server lost is never answered.
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on("data", (data: Buffer) => (answer += data.toString("latin1")));
    socket.on("close", () => resolve(answer.split("\r\n", 1)[0] ?? ""));
  });
}

describe("P6 no request ends the process", () => {
  test("P6 the server survives connections that it can't accept, when file handles run out for a while", async () => {
    const refused = Object.assign(new Error("accept EMFILE"), { code: "EMFILE", syscall: "accept" });
    for (let time = 0; time < 3; time += 1) server.started().server.emit("error", refused);
    expect(await isServing()).toBe(true);
    expect(faults).toEqual([]);
  });

  for (const target of ["//", "/\\", "//[", "http://", "*", "?", "/%", "///", "//:x/"])
    for (const method of ["GET", "POST", "PUT", "OPTIONS"])
      test(`P6 S2 ${method} ${target} is answered, and so is the next request`, async () => {
        const line = await answerTo(
          `${method} ${target} HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        expect(line).toMatch(/^HTTP\/1\.1 [234]\d\d /);
        expect(await isServing()).toBe(true);
        expect(faults).toEqual([]);
      });
});

/**
 * FUZZ_CASES=10000 FUZZ_SEED=random makes a long run of other connections, FUZZ_SEED=<seed> repeats one: npm test -- unit raw-requests. A failure prints the
 * seed and the connections that caused it.
 */
describe("P6 fuzz", () => {
  const atOnce = 20;
  const cases = Number(process.env["FUZZ_CASES"] ?? 2_000);
  const seed =
    process.env["FUZZ_SEED"] === "random" ? Math.trunc(Math.random() * 2 ** 31) : Number(process.env["FUZZ_SEED"] ?? 1);

  test(`P6 S2 the server survives ${cases} malformed connections (FUZZ_SEED=${seed}) without a 500, and serves the next visitor`, async () => {
    const moment = () => Promise.all([server.get("/healthz", { host }), server.get("/login", { host, cookie })]);
    let played = 0;
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(rawCase, { minLength: atOnce, maxLength: atOnce }), async (batch) => {
        faults.splice(0);
        errorLines.splice(0);
        const answered = await talk(batch, { port, host: `${host}:${port}`, cookie, moment });
        played += batch.length;
        for (const status of answered.flat()) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const failed = batch.filter((_, index) => answered[index]?.includes(500));
        expect({ faults, failed: failed.map(briefly), errorLines }).toEqual({ faults: [], failed: [], errorLines: [] });
      }),
      { numRuns: Math.ceil(cases / atOnce), seed, endOnFailure: true, asyncReporter: reportBriefly },
    );
    const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    for (const { leave } of printed) leave();
    console.info(`${played} connections, FUZZ_SEED=${seed}, answers ${answers.join(", ")}`);
    expect(played).toBeGreaterThanOrEqual(cases);
    expect(await isServing()).toBe(true);
    expect(faults).toEqual([]);
  }, 600_000);
});

const briefly = ({ text, ...rest }: RawCase) => ({
  ...rest,
  text: text.length > 600 ? `${text.slice(0, 600)} …` : text,
});

/** Prints a short report; fast-check's own has twenty whole connections. */
async function reportBriefly<T>({ failed, seed, errorInstance }: fc.RunDetails<T>): Promise<void> {
  if (failed) throw new Error(`FUZZ_SEED=${seed} repeats it. ${String(errorInstance)}`, { cause: errorInstance });
}
