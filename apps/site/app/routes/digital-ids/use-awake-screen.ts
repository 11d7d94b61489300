import { useEffect } from "react";

/** Keeps the screen from going dark while a code is shown: the queue at a till may be long. Not every browser can, and nothing hangs on it. */
export function useAwakeScreen(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isGone = false;
    navigator.wakeLock?.request("screen").then(
      (held) => {
        if (isGone) void held.release();
        else lock = held;
      },
      (reason: unknown) => console.debug("The screen may go dark", reason),
    );
    return () => {
      isGone = true;
      void lock?.release();
    };
  }, []);
}
