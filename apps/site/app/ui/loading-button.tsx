import { Spinner } from "@farthing/ui/spinner.tsx";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";

/** How long the spinner turns before the form is sent or the link followed (seed section 9). */
const submitDelayMs = 500;

/** A page that has not come by then will not: the button is given back. */
const giveBackAfterMs = 15_000;

const patience = "We're submitting your request, it won't take long. Please do not close the page.";

interface Common {
  children: ReactNode;
  className?: string;
  /** Also says in words that the page should be left open. */
  asksForPatience?: boolean;
  describedBy?: string;
}

/**
 * A submit button that is disabled with a spinner at the click and submits its form half a second later (product.md O6). Without script
 * it is a plain submit button. `onStart` runs inside the click, where a new tab may still be opened.
 */
export function LoadingButton({
  children,
  className = "",
  asksForPatience = false,
  describedBy,
  onStart,
}: Common & { onStart?: () => void }) {
  const { isBusy, start } = useBusy();

  function click(event: MouseEvent<HTMLButtonElement>) {
    const button = event.currentTarget;
    if (isBusy) return event.preventDefault();
    if (!button.form?.checkValidity()) return; // the browser says what is missing
    event.preventDefault();
    onStart?.();
    start(() => button.form?.requestSubmit(button));
  }

  return (
    <>
      <button
        type="submit"
        className={buttonClass(className, isBusy)}
        aria-disabled={isBusy || undefined}
        aria-describedby={describedBy}
        onClick={click}
      >
        <span className="button-label">{children}</span>
        {isBusy && <Spinner />}
      </button>
      <BusyNote isBusy={isBusy} asksForPatience={asksForPatience} />
    </>
  );
}

/**
 * The same for a link. One that opens a new tab is opened within the click itself: half a second later the browser would take it
 * for a pop-up. It shows the spinner for that half second all the same. Without script it is a plain link.
 */
export function LoadingLink({
  href,
  opensNewTab = false,
  children,
  className = "",
  asksForPatience = false,
  describedBy,
}: Common & { href: string; opensNewTab?: boolean }) {
  const { isBusy, start, stop } = useBusy();

  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (isBusy) return event.preventDefault();
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // the person chose how to open it
    event.preventDefault();
    if (opensNewTab) {
      window.open(href, "_blank", "noopener");
      start(stop);
    } else {
      start(() => window.location.assign(href));
    }
  }

  return (
    <>
      <a
        href={href}
        {...(opensNewTab ? { target: "_blank", rel: "noopener" } : {})}
        className={buttonClass(className, isBusy)}
        aria-disabled={isBusy || undefined}
        aria-describedby={describedBy}
        onClick={click}
      >
        <span className="button-label">{children}</span>
        {isBusy && <Spinner />}
      </a>
      <BusyNote isBusy={isBusy} asksForPatience={asksForPatience} />
    </>
  );
}

function buttonClass(className: string, isBusy: boolean): string {
  return `button ${className}${isBusy ? " is-busy" : ""}`;
}

function BusyNote({ isBusy, asksForPatience }: { isBusy: boolean; asksForPatience: boolean }) {
  return (
    <span role="status" className={isBusy && asksForPatience ? "busy-note" : "visually-hidden"}>
      {isBusy && (asksForPatience ? patience : "One moment")}
    </span>
  );
}

function useBusy() {
  const [isBusy, setBusy] = useState(false);
  const timers = useRef<number[]>([]);

  const stop = useCallback(() => {
    for (const timer of timers.current) window.clearTimeout(timer);
    timers.current = [];
    setBusy(false);
  }, []);

  function start(then: () => void) {
    setBusy(true);
    timers.current = [window.setTimeout(then, submitDelayMs), window.setTimeout(stop, giveBackAfterMs)];
  }

  useEffect(() => {
    // Coming back with the browser's button shows the page as it was left: with a spinner that waits for nothing.
    const giveBack = (event: PageTransitionEvent) => {
      if (event.persisted) stop();
    };
    window.addEventListener("pageshow", giveBack);
    return () => {
      window.removeEventListener("pageshow", giveBack);
      stop();
    };
  }, [stop]);

  return { isBusy, start, stop };
}
