import { Spinner } from "@farthing/ui/loading/spinner.tsx";
import { type MouseEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useReturnedFocus } from "../overlays/use-returned-focus.ts";

/** How long the spinner turns before the form is sent or the link followed (seed section 9). */
const submitDelayMs = 500;

/** A page that has not come by then will not: the button is given back. */
const giveBackAfterMs = 15_000;

const patience = "We're submitting your request, it won't take long. Please do not close the page.";
const heldBack = "Your browser kept the new tab closed. Press once more and it opens.";

interface Common {
  children: ReactNode;
  className?: string;
  /** Also says in words that the page should be left open. */
  asksForPatience?: boolean;
  describedBy?: string;
}

/**
 * A submit button that is disabled with a spinner at the click and submits its form half a second later (product.md O6). Without script
 * it is a plain submit button. `opens` is an address that opens in a new tab as the form is sent; where the browser holds the tab back, the
 * form is sent all the same.
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
  // Firefox remembers across a reload that a button was disabled.
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
 * The same for a link: while it is busy it has no address, which is how HTML disables one, and keeps the focus. A new tab opens after the
 * half second, too; where the browser holds it back, the page says so, and from then on the link is a plain one
 * (docs/decisions/021-new-tabs-after-half-a-second.md). Without script it always is.
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
        problem={tab === "held-back" ? heldBack : undefined}
      />
    </>
  );
}

/**
 * Opens a tab that has no hold on this page, as `noopener` does. That word itself would hide whether the tab opened: with it, window.open()
 * always returns null.
 * @returns whether the browser let it
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

/** Says what goes on. It is there before there is anything to say: only then is it read out. */
function BusyNote({
  isBusy,
  asksForPatience,
  problem,
}: {
  isBusy: boolean;
  asksForPatience: boolean;
  problem?: string | undefined;
}) {
  const isSeen = isBusy ? asksForPatience : problem !== undefined;
  return (
    <span role="status" className={isSeen ? "busy-note" : "visually-hidden"}>
      {isBusy ? (asksForPatience ? patience : "One moment") : problem}
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
