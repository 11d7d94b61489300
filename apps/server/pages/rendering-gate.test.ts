import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createAllowances } from "./allowances.ts";
import { RenderingGate, type RenderingGateOptions, RenderingRefusedError } from "./rendering-gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a gate whose renderings the test ends, and the order in which they began. */
function openGate(options: RenderingGateOptions = {}) {
  const clock = { now: 0 };
  const refused: string[] = [];
  const gate = new RenderingGate({ now: () => clock.now, onRefused: (reason) => refused.push(reason), ...options });
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const render = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve(name))));
  };
  /** Lets renderings start that may. */
  const settle = () => vi.advanceTimersByTimeAsync(0);
  /** Ends a rendering, and lets waiting ones start. */
  const end = async (name: string, error?: Error) => {
    await settle();
    ends.get(name)?.(error);
    await settle();
  };
  return {
    gate,
    clock,
    refused,
    begun,
    render,
    settle,
    end,
    run: (address: string, name: string) => gate.run(address, render(name)),
  };
}

describe("S1 renderings for strangers", () => {
  test("S1 a bounded number run at a time; others start as these end", async () => {
    const { gate, run, begun, end, settle } = openGate({ concurrent: 2 });
    const all = ["a", "b", "c", "d"].map((name) => run("192.0.2.1", name));
    await settle();
    expect(begun).toEqual(["a", "b"]);
    expect(gate.size).toBe(4);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c", "d"]) await end(name);
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
    expect(gate.size).toBe(0);
  });

  test("S1 addresses take turns: one with many requests does not delay others", async () => {
    const { run, begun, end } = openGate({ concurrent: 1 });
    const all = [..."abcd"].map((name) => run("192.0.2.1", `flood-${name}`));
    all.push(run("192.0.2.2", "other"), run("2001:db8::1", "third"));
    for (const name of ["flood-a", "flood-b", "other", "third", "flood-c", "flood-d"]) await end(name);
    await Promise.all(all);
    expect(begun).toEqual(["flood-a", "flood-b", "other", "third", "flood-c", "flood-d"]);
  });

  test("S1 a full queue refuses at once, an address's own before the common one, and never grows", async () => {
    const { gate, run, refused, end, begun } = openGate({ concurrent: 1, waiting: 3, waitingEach: 2 });
    const kept = [run("192.0.2.1", "a"), run("192.0.2.1", "b"), run("192.0.2.1", "c")];
    await expect(run("192.0.2.1", "d")).rejects.toMatchObject({ reason: "queue", retryAfterSeconds: 2 });
    kept.push(run("192.0.2.2", "e"));
    await expect(run("192.0.2.3", "f")).rejects.toBeInstanceOf(RenderingRefusedError);
    for (let number = 0; number < 1_000; number += 1)
      await expect(run(`10.0.${number >> 8}.${number & 255}`, "x")).rejects.toBeInstanceOf(RenderingRefusedError);
    expect(gate.size).toBe(4);
    expect(refused).toHaveLength(1_002);
    for (const name of ["a", "b", "e", "c"]) await end(name);
    await Promise.all(kept);
    expect(begun).toEqual(["a", "b", "e", "c"]);
  });

  test("R1 a failed rendering frees its place, and one that waits too long is refused", async () => {
    const { gate, run, end, begun } = openGate({ concurrent: 1, maxWaitMs: 10_000 });
    const failing = run("192.0.2.1", "a");
    const next = run("192.0.2.1", "b");
    const never = run("192.0.2.1", "c");
    const refusal = expect(never).rejects.toMatchObject({ reason: "queue", retryAfterSeconds: 5 });
    const failure = expect(failing).rejects.toThrow("database away");
    await end("a", new Error("database away"));
    await failure;
    expect(begun).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(10_000);
    await refusal;
    await end("b");
    expect(await next).toBe("b");
    expect(begun).toEqual(["a", "b"]);
    expect(gate.size).toBe(0);
  });

  test("P1 members go first, but a steady stream of members does not block strangers forever", async () => {
    const { gate, clock, run, render, begun, end } = openGate({ concurrent: 2, membersFirstMs: 250 });
    const first = gate.runFirst(render("member"));
    const waiting = run("192.0.2.1", "stranger");
    expect(begun).toEqual(["member"]);
    await end("member");
    expect(begun).toEqual(["member", "stranger"]);
    await end("stranger");
    expect(await Promise.all([first, waiting])).toEqual(["member", "stranger"]);

    void gate.runFirst(render("slow member"));
    void run("192.0.2.1", "patient stranger");
    clock.now += 250;
    await vi.advanceTimersByTimeAsync(250);
    expect(begun.at(-1)).toBe("patient stranger");
  });
});

describe("S1 the allowance of one address", () => {
  test("S1 a burst and then a rate per second, for each IPv4 address and each IPv6 /64", () => {
    const { gate, clock, refused } = openGate({ burst: 3, perSecond: 2 });
    const tries = (address: string, count: number) =>
      Array.from({ length: count }, () => gate.spend(address)).filter(Boolean).length;
    expect(tries("192.0.2.1", 10)).toBe(3);
    expect(tries("192.0.2.2", 10)).toBe(3);
    expect(tries("2001:db8:0:7::1", 2) + tries("2001:db8:0:7:ffff::2", 10)).toBe(3);
    clock.now += 1_000;
    expect(tries("192.0.2.1", 10)).toBe(2);
    clock.now += 3_600_000;
    expect(tries("192.0.2.1", 10)).toBe(3);
    expect(() => gate.charge("192.0.2.1")).toThrow(RenderingRefusedError);
    expect(refused).toEqual(["address"]);
  });

  test("S1 a refusal says when to retry", () => {
    const clock = { now: 0 };
    const allowances = createAllowances({ burst: 1, perSecond: 0.25, now: () => clock.now });
    expect(allowances.take("a")).toBe(0);
    expect(allowances.take("a")).toBe(4);
    clock.now += 4_000;
    expect(allowances.take("a")).toBe(0);
  });

  test("S1 thousands of made-up addresses take bounded memory", () => {
    const allowances = createAllowances({ burst: 1, perSecond: 1, maxAddresses: 100, now: () => 0 });
    for (let number = 0; number < 20_000; number += 1) allowances.take(`10.${number >> 8}.${number & 255}.1`);
    expect(allowances.size).toBe(100);
  });
});
