import { createSpinner } from "@farthing/ui/loading/create-spinner.ts";
import { openingChecks } from "./opening-check.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";

/** How long the spinner shows before the form is sent or the link is followed (O6). */
const SUBMIT_DELAY_MS = 500;

/** A page that has not loaded by then will not: the button is enabled again. */
const RELEASE_AFTER_MS = 15_000;

const ONE_MOMENT = "One moment";
const PATIENCE = "We're submitting your request, it won't take long. Please do not close the page.";
const HELD_BACK = "Your browser kept the new tab closed. Press once more and it opens.";

type Control = HTMLButtonElement | HTMLAnchorElement;

interface Busy {
  timers: number[];
  hadFocus: boolean;
  /** A link's address, which it does not have while it is busy. */
  href: string | null;
}

const busyControls = new Map<Control, Busy>();

/** The buttons and links of loading-button.tsx (O6). */
export const loadingButtons: Behaviour = {
  start(root) {
    // Firefox keeps a button disabled across a reload.
    for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-loading-button]"))
      button.disabled = false;
    root.addEventListener("click", (event) => {
      const control = event.target instanceof Element ? event.target.closest<Control>("[data-loading-button]") : null;
      if (!control || event.defaultPrevented) return;
      const isOurs =
        busyControls.has(control) ||
        (control instanceof HTMLAnchorElement ? pressLink(control, event) : pressButton(control));
      if (isOurs) event.preventDefault();
    });
    // On Back, browsers show the page as it was left, with a spinner that waits for nothing.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) for (const control of [...busyControls.keys()]) release(control);
    });
  },
};

/** Returns whether the press is acted upon later, instead of by the browser. */
function pressButton(button: HTMLButtonElement): boolean {
  const { form } = button;
  if (!form?.checkValidity()) return false; // the form says what is missing
  hold(button, () => {
    const { opens } = button.dataset;
    const submit = (address?: string) => {
      if (address) openTab(address);
      form.requestSubmit();
      if (!navigator.onLine) release(button); // offline-form.behaviour.ts says why nothing happens
    };
    if (!form.checkValidity()) release(button);
    // Without a connection there is nothing to check, and a tab would only show the browser's own page.
    else if (opens && navigator.onLine) return whenChecked(button, opens, submit);
    submit();
  });
  return true;
}

/** Returns whether the press is acted upon later, instead of by the browser. */
function pressLink(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (link.dataset["heldBack"] !== undefined) {
    say(link, ""); // the browser opens the tab itself, from now on
    return false;
  }
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false; // the person chose how to open it
  const { href } = link;
  hold(link, () => {
    if (link.target !== "_blank") return window.location.assign(href);
    whenChecked(link, href, (address) => {
      const isOpen = openTab(address);
      release(link);
      if (isOpen) return;
      link.dataset["heldBack"] = "";
      say(link, HELD_BACK, true);
    });
  });
  return true;
}

/** Calls `open` with the address, at once where no check runs; else the check does, and may change the address. */
function whenChecked(control: Control, address: string, open: (address: string) => void): void {
  const check = openingChecks.get(control) ?? open;
  check(address, open, () => release(control));
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

/** Disables a control with a spinner, and calls `act` half a second later. */
function hold(control: Control, act: () => void): void {
  busyControls.set(control, {
    timers: [window.setTimeout(act, SUBMIT_DELAY_MS), window.setTimeout(() => release(control), RELEASE_AFTER_MS)],
    hadFocus: document.activeElement === control,
    href: control.getAttribute("href"),
  });
  if (control instanceof HTMLAnchorElement) {
    control.tabIndex = 0;
    control.role = "link";
    control.ariaDisabled = "true";
    control.removeAttribute("href");
  } else {
    control.disabled = true;
  }
  control.classList.add("is-busy");
  control.querySelector(".spinner-place")?.append(createSpinner());
  const asksForPatience = control.dataset["loadingButton"] === "patience";
  say(control, asksForPatience ? PATIENCE : ONE_MOMENT, asksForPatience);
}

/** Enables a control again. It gets back the focus it lost, unless the person has focused something else since. */
function release(control: Control): void {
  const busy = busyControls.get(control);
  if (!busy) return;
  busyControls.delete(control);
  for (const timer of busy.timers) window.clearTimeout(timer);
  if (control instanceof HTMLAnchorElement) {
    if (busy.href !== null) control.setAttribute("href", busy.href);
    for (const name of ["role", "tabindex", "aria-disabled"]) control.removeAttribute(name);
  } else {
    control.disabled = false;
  }
  control.classList.remove("is-busy");
  control.querySelector(".spinner-place")?.replaceChildren();
  say(control, "");
  const { activeElement } = document;
  if (busy.hadFocus && (activeElement === null || activeElement === document.body)) control.focus();
}

/** Sets the words of the note after the control. Those that are not visible are for screen readers. */
function say(control: Control, words: string, isVisible = false): void {
  const note = control.nextElementSibling;
  if (note?.role !== "status") return;
  note.textContent = words;
  note.className = isVisible ? "busy-note" : "visually-hidden";
}
