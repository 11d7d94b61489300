import { afterEach, describe, expect, test, vi } from "vitest";
import { ChunkLoadError, loadModule } from "./lazy-module.ts";

const logged = vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => {
  vi.useRealTimers();
  logged.mockClear();
});

const failureOf = (loading: Promise<unknown>) =>
  loading.then(
    () => null,
    (error: unknown) => error as ChunkLoadError,
  );

describe("parts of the script that are loaded on demand", () => {
  test("T5 a loaded module is returned unchanged", async () => {
    expect(await loadModule(8, async () => ({ party: true }))).toEqual({ party: true });
  });

  test("T5 a failure names the part, the kind of failure and the address", async () => {
    const address = "https://chalkside.example/assets/confetti-1a2b3c.js";
    const cause = new TypeError(`Failed to fetch dynamically imported module: ${address}`);
    const failure = await failureOf(loadModule(8, () => Promise.reject(cause)));
    expect(failure).toBeInstanceOf(ChunkLoadError);
    expect(failure).toMatchObject({ name: "ChunkLoadError", type: "error", request: address, cause });
    expect(failure?.message).toBe(`Loading chunk 8 failed\n(error: ${address})`);
    expect(logged.mock.calls, "logged, once").toEqual([[failure?.message]]);
  });

  test("T5 loading fails after 120 seconds and not before; a slower part is available at the next attempt", async () => {
    vi.useFakeTimers();
    let arrive: (module: string) => void = () => {};
    const onItsWay = new Promise<string>((resolve) => (arrive = resolve));
    const load = () => onItsWay;
    let failure: ChunkLoadError | null = null;
    void failureOf(loadModule(8, load)).then((error) => (failure = error));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(failure).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(failure).toMatchObject({ type: "timeout" });
    expect(String(failure)).toContain("Loading chunk 8 failed");
    arrive("here at last");
    expect(await loadModule(8, load)).toBe("here at last");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("T5 after a timeout, the address is the one in the code", async () => {
    vi.useFakeTimers();
    const stuck = Object.assign(() => new Promise<never>(() => {}), {
      toString: () => '()=>t(()=>import("./gift-cards-9f.js"),[])', // as the build writes it
    });
    const failing = failureOf(loadModule(9, stuck));
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await failing)?.request).toBe(new URL("./gift-cards-9f.js", import.meta.url).href);
  });
});
