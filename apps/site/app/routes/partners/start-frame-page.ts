import { connectHost } from "@farthing/widget/frame";
import { keepsCookies } from "./keeps-cookies.ts";
import { whereToOpen } from "./where-to-open.ts";

const RESIZE_DELAY_MS = 300;

/**
 * Connects a page in a partner's frame to the page around it (W9): reports its size, or what is wrong with it, and asks
 * the host to open what may not be framed.
 */
export function startFramePage({ dataset }: HTMLElement): void {
  const { frameHost = "", frameStarts = "", frameProblem } = dataset;
  const host = connectHost({
    hostOrigins: [frameHost],
    resizeDelayMs: RESIZE_DELAY_MS,
    ...(frameProblem === undefined ? {} : { problem: problemOf(Number(frameProblem)) }),
  });
  const marks = { starts: frameStarts, origin: location.origin, keepsSession: keepsCookies() };

  // Before the scripts of links and forms themselves, which open tabs of their own.
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || isSamePage(link) || whereToOpen(link.href, marks) === "inside") return;
      stop(event);
      host.openUrl(link.href, true);
    },
    { capture: true },
  );
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target as HTMLFormElement;
      const action = new URL(form.getAttribute("action") ?? "", location.href);
      if (whereToOpen(action.href, marks) === "inside") return;
      stop(event);
      // A post is not repeated elsewhere: the same page opens outside, where the person can send it.
      host.openUrl(form.method === "get" ? withFields(action, form) : location.href, true);
    },
    { capture: true },
  );
}

function problemOf(status: number) {
  return { status, reason: status === 404 || status === 410 ? "not-found" : "error" };
}

function isSamePage({ hash, href }: HTMLAnchorElement): boolean {
  return (
    hash !== "" && href.slice(0, -hash.length) === location.href.slice(0, location.href.length - location.hash.length)
  );
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function withFields(action: URL, form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string");
  return new URL(`?${new URLSearchParams(fields).toString()}`, action).href;
}
