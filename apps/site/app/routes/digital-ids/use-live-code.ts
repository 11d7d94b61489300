import { msLeft, stepAt } from "@farthing/core/digital-ids/rules.ts";
import { useEffect, useState } from "react";
import type { KeptCard } from "./kept-card.ts";
import { signCode } from "./sign-code.ts";

export interface LiveCode {
  code: string;
  secondsLeft: number;
}

/** Returns the current code by the server's clock and how long it is shown; null until the first one is signed. */
export function useLiveCode({ key, handle, clockOffset }: KeptCard): LiveCode | null {
  const [code, setCode] = useState<string | null>(null);
  const [secondsLeft, setSecondsLeft] = useState(0);

  useEffect(() => {
    let isGone = false;
    let signed: number | null = null;
    function tick() {
      const now = Date.now() + clockOffset;
      const step = stepAt(now);
      setSecondsLeft(Math.ceil(msLeft(now) / 1000));
      if (step === signed) return;
      signed = step;
      signCode(key, handle, step).then(
        (next) => !isGone && signed === step && setCode(next),
        (error: unknown) => console.error("The code could not be signed", error),
      );
    }
    tick();
    const timer = setInterval(tick, 500);
    // A phone that was in a pocket must not show an old code.
    document.addEventListener("visibilitychange", tick);
    return () => {
      isGone = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [key, handle, clockOffset]);

  return code === null ? null : { code, secondsLeft };
}
