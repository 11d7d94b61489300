import type { FrameMessage, RedirectConfiguration } from "./messages.ts";
import { readFrameMessage } from "./read-frame-message.ts";
import { writeRedirectConfig } from "./write-host-message.ts";

export type Frame = {
  readonly element: HTMLIFrameElement;
  /** Posts to the service's origin and no other. */
  send(message: string): void;
  setRedirect(redirect: RedirectConfiguration | undefined): void;
  close(): void;
};

/** How often REDIRECT_CONFIG goes out (W4). */
const RESEND = 1000;
/** A frame that has said nothing valid for so long has probably not loaded: there is no other sign across origins. */
const SILENCE = 15_000;

/** Everything the service's page needs, and no way to move the partner's own page (no top navigation). */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";

/**
 * Opens the service's page inside `host` and speaks with it (W2, W3, W4): the part that the gift-card portal will share. Only messages of
 * this very window and of the address's origin are read.
 */
export function openFrame(options: {
  host: HTMLElement;
  address: URL;
  redirect: RedirectConfiguration | undefined;
  onMessage: (message: FrameMessage) => void;
  /** Once, when nothing valid has come in 15 seconds. */
  onSilence: () => void;
}): Frame {
  const { host, address } = options;
  let configuration = options.redirect && writeRedirectConfig(options.redirect);
  let loaded = false;
  let resending: ReturnType<typeof setInterval> | undefined;
  let silence = setTimeout(options.onSilence, SILENCE);

  function send(message: string): void {
    element.contentWindow?.postMessage(message, address.origin);
  }

  function stopSending(): void {
    clearInterval(resending);
    resending = undefined;
  }

  function startSending(): void {
    stopSending();
    if (!configuration || !loaded) return; // posting before the first load only logs errors
    send(configuration);
    resending = setInterval(send, RESEND, configuration);
  }

  function onLoad(): void {
    if (loaded) {
      // The frame has gone somewhere by itself. If that is another origin, each message is dropped with an error in the console: give
      // the page a while, then wait until it speaks.
      clearTimeout(silence);
      silence = setTimeout(stopSending, SILENCE);
    }
    loaded = true;
    startSending();
  }

  function onMessage(event: MessageEvent): void {
    if (!event.source || event.source !== element.contentWindow || event.origin !== address.origin) return;
    const message = readFrameMessage(event.data);
    if (!message) return;
    clearTimeout(silence);
    if (!resending) startSending();
    options.onMessage(message);
  }

  const element = Object.assign(document.createElement("iframe"), {
    title: "Farthing",
    allow: "payment *; clipboard-write",
    sandbox: SANDBOX,
    referrerPolicy: "strict-origin", // the service learns which site embeds it, and nothing of the page's address
    onload: onLoad,
    src: address.href,
  }) as HTMLIFrameElement;
  // Its own style, not a rule of a stylesheet: the same in any shadow root and under any CSP. The host element decides the size.
  element.style.cssText = "display:block;width:100%;height:100%;border:0";
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
      clearTimeout(silence);
      window.removeEventListener("message", onMessage);
      element.remove();
    },
  };
}
