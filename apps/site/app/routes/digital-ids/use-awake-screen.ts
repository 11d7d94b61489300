import { useEffect } from "react";

/**
 * Keeps the screen on while a code is shown, because a queue may be long. Browsers without this feature just turn
 * it off.
 */
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
