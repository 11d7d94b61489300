/**
 * @typedef {object} CrashLoop
 * @property {() => void} ready the part answers: it has started properly
 * @property {(how: string) => string | null} ended takes how it ended, in words; returns null where it is to be started again, else why not
 */

/**
 * Decides whether a part of the stack that ended by itself is started again. One that never got ready is not, as nothing says that it ever will;
 * nor is one that ends `maxEnds` times within `withinMs`, or `maxUnready` times in a row before it is ready again.
 * @param {object} options
 * @param {string} options.name as a person knows it: "server"
 * @param {number} [options.maxEnds]
 * @param {number} [options.withinMs]
 * @param {number} [options.maxUnready]
 * @param {() => number} [options.now] milliseconds that only ever grow
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
        return `The ${name} was started again ${unready} times and never got ready; the last time it ${how}`;
      return null;
    },
  };
}
