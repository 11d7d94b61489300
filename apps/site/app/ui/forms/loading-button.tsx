import { Spinner } from "@farthing/ui/loading/spinner.tsx";
import { type MouseEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useReturnedFocus } from "../overlays/use-returned-focus.ts";

/** How long the spinner shows before the form is sent or the link is followed (O6). */
const SUBMIT_DELAY_MS = 500;

/** A page that has not loaded by then will not: the button is enabled again. */
const RELEASE_AFTER_MS = 15_000;

const PATIENCE = "We're submitting your request, it won't take long. Please do not close the page.";
const HELD_BACK = "Your browser kept the new tab closed. Press once more and it opens.";

interface Common {
  children: ReactNode;
  className?: string;
  /** Also asks the person in words to leave the page open. */
  asksForPatience?: boolean;
  describedBy?: string;
}

/**
 * A submit button that shows a spinner, is disabled at the click and submits its form half a second later (O6). Without
 * script it is a plain submit button. `opens` is an address that opens in a new tab as the form is sent; where the
 * browser blocks the tab, the form is sent all the same.
 */
export function LoadingButton({
  children,
  className = "",
  asksForPatience = false,
  describedBy,
  opens,
}: Common & { opens?: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const { isBusy, start, stop } = useBusy(button);
  // Firefox keeps a button disabled across a reload.
  useEffect(() => {
    if (button.current) button.current.disabled = false;
  }, []);

  function click(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget;
    if (isBusy) return event.preventDefault();
    if (!form?.checkValidity()) return; // the form says what is missing
    event.preventDefault();
    start(() => {
      if (!form.checkValidity()) stop();
      else if (opens !== undefined) openTab(opens);
      form.requestSubmit();
    });
  }

  return (
    <>
      <button
        ref={button}
        type="submit"
        className={buttonClass(className, isBusy)}
        disabled={isBusy}
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
 * The same for a link. While busy it has no href, which is how HTML disables a link, and it keeps the focus. A new tab
 * opens after the half second too; where the browser blocks it, the page says so and the link becomes a plain one
 * (docs/decisions/021-new-tabs-after-half-a-second.md), as it always is without script.
 */
export function LoadingLink({
  href,
  opensNewTab = false,
  children,
  className = "",
  asksForPatience = false,
  describedBy,
}: Common & { href: string; opensNewTab?: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  const { isBusy, start, stop } = useBusy(link);
  const [tab, setTab] = useState<"opens" | "held-back" | "left-to-browser">("opens");

  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (isBusy) return event.preventDefault();
    if (tab !== "opens") return setTab("left-to-browser");
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // the person chose how to open it
    event.preventDefault();
    start(() => {
      if (!opensNewTab) return window.location.assign(href);
      if (!openTab(href)) setTab("held-back");
      stop();
    });
  }

  return (
    <>
      <a
        ref={link}
        href={isBusy ? undefined : href}
        {...(isBusy ? { role: "link", tabIndex: 0, "aria-disabled": true } : {})}
        {...(opensNewTab ? { target: "_blank", rel: "noopener" } : {})}
        className={buttonClass(className, isBusy)}
        aria-describedby={describedBy}
        onClick={click}
      >
        <span className="button-label">{children}</span>
        {isBusy && <Spinner />}
      </a>
      <BusyNote
        isBusy={isBusy}
        asksForPatience={asksForPatience}
        problem={tab === "held-back" ? HELD_BACK : undefined}
      />
    </>
  );
}

/**
 * Opens a tab without an opener, as `noopener` does. With that option itself, window.open() always returns null and
 * would not say whether the tab opened.
 * @returns whether the browser opened the tab
 */
function openTab(href: string): boolean {
  const tab = window.open(href, "_blank");
  if (!tab) return false;
  tab.opener = null;
  return true;
}

function buttonClass(className: string, isBusy: boolean): string {
  return `button ${className}${isBusy ? " is-busy" : ""}`;
}

/** Announces what happens. The element is there from the start, because screen readers announce changes only. */
function BusyNote({
  isBusy,
  asksForPatience,
  problem,
}: {
  isBusy: boolean;
  asksForPatience: boolean;
  problem?: string | undefined;
}) {
  const isVisible = isBusy ? asksForPatience : problem !== undefined;
  return (
    <span role="status" className={isVisible ? "busy-note" : "visually-hidden"}>
      {isBusy ? (asksForPatience ? PATIENCE : "One moment") : problem}
    </span>
  );
}

function useBusy(control: RefObject<HTMLElement | null>) {
  const [isBusy, setBusy] = useState(false);
  const timers = useRef<number[]>([]);
  useReturnedFocus(control, isBusy);

  const stop = useCallback(() => {
    for (const timer of timers.current) window.clearTimeout(timer);
    timers.current = [];
    setBusy(false);
  }, []);

  function start(then: () => void) {
    setBusy(true);
    timers.current = [window.setTimeout(then, SUBMIT_DELAY_MS), window.setTimeout(stop, RELEASE_AFTER_MS)];
  }

  useEffect(() => {
    // On Back, browsers show the page as it was left, with a spinner that waits for nothing.
    const release = (event: PageTransitionEvent) => {
      if (event.persisted) stop();
    };
    window.addEventListener("pageshow", release);
    return () => {
      window.removeEventListener("pageshow", release);
      stop();
    };
  }, [stop]);

  return { isBusy, start, stop };
}
