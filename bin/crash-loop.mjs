/**
 * @typedef {object} CrashLoop
 * @property {() => void} ready records that the part is ready
 * @property {(how: string) => string | null} ended takes how the part ended, in words; returns null if it must be restarted, otherwise why not
 */

/**
 * Decides whether a part of the stack that has crashed is restarted. It is not restarted if it was never ready, if it ends `maxEnds` times within
 * `withinMs`, or if it ends `maxUnready` times in a row before it is ready again.
 * @param {object} options
 * @param {string} options.name for messages, such as "server"
 * @param {number} [options.maxEnds]
 * @param {number} [options.withinMs]
 * @param {number} [options.maxUnready]
 * @param {() => number} [options.now] monotonic milliseconds
 * @returns {CrashLoop}
 */
export function createCrashLoop({
  name,
  maxEnds = 5,
  withinMs = 60_000,
  maxUnready = 3,
  now = () => performance.now(),
}) {
  let wasEverReady = false;
  let isReady = false;
  let unready = 0;
  /** @type {number[]} */
  let ends = [];
  return {
    ready() {
      wasEverReady = true;
      isReady = true;
      unready = 0;
    },
    ended(how) {
      if (!wasEverReady) return `The ${name} ${how} before it was ready`;
      unready = isReady ? 0 : unready + 1;
      isReady = false;
      const at = now();
      ends = [...ends.filter((earlier) => at - earlier < withinMs), at];
      if (ends.length >= maxEnds)
        return `The ${name} ended ${ends.length} times within ${withinMs / 1000} seconds; the last time it ${how}`;
      if (unready >= maxUnready)
        return `The ${name} was restarted ${unready} times and never became ready; the last time it ${how}`;
      return null;
    },
  };
}
