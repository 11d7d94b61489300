// Moves the clock of a process of the simulation: `Date`, `performance.now`, and timers. Preloaded (`node --import`) into the real server and its
// commands, whose own code knows nothing of it. A jump ahead is to the process what a machine's sleep is: timers that fell due meanwhile fire at once.
import { isMainThread } from "node:worker_threads";

const RealDate = Date;
const startedAtMs = Number(process.env["SIMULATION_OFFSET_MS"] ?? 0);
if (!Number.isSafeInteger(startedAtMs)) throw new Error("SIMULATION_OFFSET_MS is not a whole number of milliseconds");
let offsetMs = startedAtMs;

const now = () => RealDate.now() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
});

const realElapsed = performance.now.bind(performance);
Object.defineProperty(performance, "now", {
  configurable: true,
  value: () => realElapsed() + offsetMs - startedAtMs,
});

/** Shorter waits are not worth moving. */
const SHORT_MS = 250;

/**
 * @typedef {object} Waiting
 * @property {number} dueAt
 * @property {() => void} fire
 */
/** @type {Map<NodeJS.Timeout, Waiting>} */
const waiting = new Map();
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

/** @param {(...args: unknown[]) => void} callback @param {number} [ms] @param {unknown[]} args */
function movedTimeout(callback, ms = 0, ...args) {
  /** @type {NodeJS.Timeout} */
  const timer = realSetTimeout(() => {
    waiting.delete(timer);
    callback(...args);
  }, ms);
  if (ms >= SHORT_MS)
    waiting.set(timer, {
      dueAt: now() + ms,
      fire() {
        realClearTimeout(timer);
        callback(...args);
      },
    });
  return timer;
}

/** @param {NodeJS.Timeout | undefined} timer */
function clearMovedTimeout(timer) {
  if (timer !== undefined) waiting.delete(timer);
  realClearTimeout(timer);
}

globalThis.setTimeout = /** @type {typeof setTimeout} */ (Object.assign(movedTimeout, realSetTimeout));
globalThis.clearTimeout = /** @type {typeof clearTimeout} */ (clearMovedTimeout);

/** @param {number} ms */
AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  movedTimeout(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms).unref();
  return controller.signal;
};

function fireWhatIsDue() {
  const due = [...waiting].filter(([, { dueAt }]) => dueAt <= now()).sort(([, a], [, b]) => a.dueAt - b.dueAt);
  for (const [timer, { fire }] of due) if (waiting.delete(timer)) fire();
}

if (isMainThread && process.send) {
  process.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("offsetMs" in message)) return;
    offsetMs = Number(message.offsetMs);
    fireWhatIsDue();
    process.send?.({ offsetMs });
  });
  process.channel?.unref();
}
