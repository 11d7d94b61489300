// Shifts `Date` by FARTHING_CLOCK_SHIFT_MS. Preloaded (`node --import`) into shifted test runs without faketime. Timers and performance.now are not
// shifted, because they measure durations.
const shiftMs = Number(process.env["FARTHING_CLOCK_SHIFT_MS"] ?? 0);
if (!Number.isSafeInteger(shiftMs)) throw new Error("FARTHING_CLOCK_SHIFT_MS is not a whole number of milliseconds");

const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
});
