import type { FrameMessage, RedirectConfiguration } from "./messages.ts";
import { readFrameMessage } from "./read-frame-message.ts";
import { writeRedirectConfig } from "./write-host-message.ts";

export type Frame = {
  readonly element: HTMLIFrameElement;
  /** Posts to the service's origin only. */
  send(message: string): void;
  setRedirect(redirect: RedirectConfiguration | undefined): void;
  close(): void;
};

/** The interval at which REDIRECT_CONFIG is sent (W4). */
const RESEND_MS = 1000;
/** A frame without a valid message for this long has probably not loaded. Across origins there is no other sign of it. */
const SILENCE_MS = 15_000;
/** A frame that has loaded a page, with its scripts, and sends nothing for this long shows an error page of the browser or of another site. */
const SILENCE_AFTER_LOAD_MS = 5000;

/** Allows what the service's page needs, but not navigation of the partner's page. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";

/**
 * Opens the service's page inside `host` and exchanges messages with it (W2, W3, W4). Only messages
 * from the frame's own window and the address's origin are read.
 */
export function openFrame(options: {
  host: HTMLElement;
  address: URL;
  redirect: RedirectConfiguration | undefined;
  onMessage: (message: FrameMessage) => void;
  /** Called if no valid message arrives: once five seconds after the page has loaded, and once after fifteen seconds. */
  onSilence: (reason: "frame_silent" | "frame_timeout") => void;
}): Frame {
  const { host, address } = options;
  let configuration = options.redirect && writeRedirectConfig(options.redirect);
  let loaded = false;
  let heard = false;
  let resending: ReturnType<typeof setInterval> | undefined;
  let silence = setTimeout(options.onSilence, SILENCE_MS, "frame_timeout");
  let silenceAfterLoad: ReturnType<typeof setTimeout> | undefined;

  function send(message: string): void {
    element.contentWindow?.postMessage(message, address.origin);
  }

  function hush(): void {
    clearTimeout(silence);
    clearTimeout(silenceAfterLoad);
  }

  function stopSending(): void {
    clearInterval(resending);
    resending = undefined;
  }

  function startSending(): void {
    stopSending();
    if (!configuration || !(loaded || heard)) return; // posting before the first page is there only logs errors
    send(configuration);
    resending = setInterval(send, RESEND_MS, configuration);
  }

  function onLoad(): void {
    if (loaded) {
      // The frame has navigated. If it is on another origin now, the browser logs an error for each message: stop sending after a while,
      // until the page sends a message. What was heard just before may be the last page's: ours report their size again after they have loaded.
      clearTimeout(silence);
      silence = setTimeout(stopSending, SILENCE_MS);
    } else if (!heard) silenceAfterLoad = setTimeout(options.onSilence, SILENCE_AFTER_LOAD_MS, "frame_silent");
    loaded = true;
    startSending();
  }

  function onMessage(event: MessageEvent): void {
    if (!event.source || event.source !== element.contentWindow || event.origin !== address.origin) return;
    const message = readFrameMessage(event.data);
    if (!message) return;
    heard = true;
    hush();
    if (!resending) startSending();
    options.onMessage(message);
  }

  const element = Object.assign(document.createElement("iframe"), {
    allow: "payment *; clipboard-write",
    sandbox: SANDBOX,
    referrerPolicy: "strict-origin", // the service learns the embedding site's origin, but not the page's address
    onload: onLoad,
    src: address.href,
  }) as HTMLIFrameElement;
  // An element style instead of a stylesheet works in any shadow root and under any CSP. The host element determines the size, not the page's
  // rules for frames, such as `iframe { height: auto !important }`.
  element.style.cssText = "display:block;width:100%!important;height:100%!important;border:0";
  window.addEventListener("message", onMessage);
  host.append(element);

  return {
    element,
    send,
    setRedirect(next) {
      const changed = next && writeRedirectConfig(next);
      if (changed === configuration) return;
      configuration = changed;
      startSending();
    },
    close() {
      stopSending();
      hush();
      window.removeEventListener("message", onMessage);
      element.remove();
    },
  };
}
