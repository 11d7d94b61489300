import { CONSENT_COOKIE, VISIT_COOKIE, WITHOUT_SCRIPT } from "@farthing/core/consent/consent-cookie.ts";
import { CONSENT_SECONDS, CONSENT_VERSION } from "@farthing/core/consent/rules.ts";
import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { PageVariables } from "@farthing/telemetry/telemetry-events.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { offerToAsk } from "./ask-for-messages.ts";

const root = document.documentElement;
/** Stops what has been started on this page. */
let stop: (() => void) | null = null;
/** What has been started on this page. */
let running: readonly string[] = [];
/** Tells the brand's other tabs that a choice was made. It is closed while the browser keeps the page for "back", which it would not do otherwise. */
let tabs: BroadcastChannel | null = null;

/**
 * Answers the question of consent without loading the page again, and starts what has been agreed to (T6). Nothing else on the site starts any of it.
 */
export function startConsent(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(".consent-banner form, .consent-form"))
    form.addEventListener("submit", (event) => void answer(event, form));
  takeOffMark();
  offerToAsk();
  hearOthers();
  if (isRefused()) void end();
  if (granted().length === 0) return;
  // A page that the browser prepares may never be seen.
  if ("prerendering" in document && document.prerendering)
    document.addEventListener("prerenderingchange", () => void start([]), { once: true });
  else void start([]);
}

/** Returns what is agreed to now. The cookie is read each time, because another tab may have changed it (read-consent.ts). */
function granted(): string[] {
  if (isRefused()) return [];
  return chosen().filter((purpose) => asked().includes(purpose));
}
const chosen = () =>
  (
    new RegExp(`(?:^|; )(?:__Host-)?${CONSENT_COOKIE}=${CONSENT_VERSION}\\.\\d+\\.([a-z-]+)`).exec(
      document.cookie,
    )?.[1] ?? "none"
  ).split("-");
/** Returns whether Global Privacy Control refuses everything, which leaves no button to press: the browser says so, or the server has seen its header. */
const isRefused = () =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true ||
  document.querySelector(".consent-form fieldset:disabled") !== null;
const asked = () => (root.dataset["consentAsks"] ?? "").split(" ");

async function answer(event: SubmitEvent, form: HTMLFormElement): Promise<void> {
  const { submitter } = event;
  event.preventDefault();
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]);
  const body = new URLSearchParams(fields);
  const before = granted();
  try {
    const { status } = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (status !== 204) throw new Error(`The choice was answered with ${status}`);
  } catch (error) {
    console.error("The choice goes as a form", error);
    addChoice(form, submitter);
    return form.submit();
  }
  root.dataset["consent"] = granted().join(" ");
  tabs?.postMessage(null);
  await end();
  if (form.matches(".consent-form")) return location.assign("/cookies?saved");
  document.getElementById("main")?.focus({ preventScroll: true });
  await start(before);
}

/** submit() leaves out the button that was pressed. */
function addChoice(form: HTMLFormElement, submitter: HTMLElement | null): void {
  if (!(submitter instanceof HTMLButtonElement)) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = submitter.name;
  field.value = submitter.value;
  form.append(field);
}

/** Starts what is agreed to now. `before` is what was agreed to on this page already. */
async function start(before: readonly string[]): Promise<void> {
  const purposes = (running = granted());
  if (purposes.includes("messages")) void runWorker(!before.includes("messages"));
  const sendsEvents = purposes.includes("measurement");
  const pushesData = purposes.includes("tags");
  const variables = readVariables();
  if (!variables || !(pushesData || (sendsEvents && variables.TELEMETRY_ENABLED))) return;
  try {
    const { startTelemetry } = await loadModule(
      lazyChunks.telemetry,
      () => import("@farthing/telemetry/start-telemetry.ts"),
    );
    stop?.();
    stop = startTelemetry({
      variables,
      sessionId: granted().includes("measurement") ? visitId() : "",
      sendsEvents: () => granted().includes("measurement"),
      pushesData: () => granted().includes("tags"),
    });
  } catch {
    // The loader has logged it. The page works without.
  }
}

function readVariables(): PageVariables | null {
  const block = document.getElementById("page-variables");
  return block && (JSON.parse(block.textContent) as PageVariables);
}

/** Returns the number of this visit, which the server gives with the consent; a new one where the browser has been closed since. */
function visitId(): string {
  const known = new RegExp(`${VISIT_COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1];
  if (known) return known;
  const id = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  setCookie(VISIT_COOKIE, id);
  return id;
}

/**
 * Ends what is not agreed to, and deletes what it has stored here, whatever was agreed to before: that may have expired since. The server deletes the
 * cookies, also without script.
 */
async function end(): Promise<void> {
  halt();
  const purposes = granted();
  if (!purposes.includes("tags")) endForeignStorage();
  if (!purposes.includes("messages")) await stopMessages();
}

function halt(): void {
  stop?.();
  stop = null;
}

function endForeignStorage(): void {
  const isOurs = (key: string) => /^(farthing|half-filled |__stripe)/.test(key);
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (!isOurs(key)) storage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing is in it.
  }
}

/** Looks at the choice again when another tab has made one, and when this one comes back from where no message reaches it. */
function hearOthers(): void {
  const open = () => {
    if (!("BroadcastChannel" in window)) return;
    tabs = new BroadcastChannel(CONSENT_COOKIE);
    tabs.onmessage = stopLost;
  };
  open();
  window.addEventListener("pagehide", () => {
    tabs?.close();
    tabs = null;
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    open();
    stopLost();
  });
  document.addEventListener("visibilitychange", stopLost);
}

/** Stops what was taken back in another tab. A tag that runs can't be stopped, so where one may the page loads again: as a link, which posts no form twice. */
function stopLost(): void {
  const purposes = granted();
  const lost = running.filter((purpose) => !purposes.includes(purpose));
  if (lost.length === 0) return;
  running = purposes;
  root.dataset["consent"] = purposes.join(" ");
  if (!lost.includes("tags")) return;
  halt();
  endForeignStorage();
  location.replace(location.href.split("#", 1)[0] ?? "");
}

async function runWorker(isNew: boolean): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    // A worker of before the choice does not have the provider's script.
    if (isNew) await registration.update();
  } catch (error) {
    console.error("Messages can't be shown on this device", error);
  }
}

/** Ends the subscription to messages, and gets the worker without the provider's script. */
async function stopMessages(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
    await registration?.update();
  } catch (error) {
    console.error("Messages on this device could not be ended", error);
  }
}

/** The mark of a choice without script keeps this browser from the shared pages, which hide the question by script (core/consent/consent-cookie.ts). */
function takeOffMark(): void {
  const [, value, seconds] =
    new RegExp(`${CONSENT_COOKIE}=((?:\\d+\\.(\\d+)\\.[a-z-]+))\\${WITHOUT_SCRIPT}`).exec(document.cookie) ?? [];
  if (value === undefined) return;
  const left = Number(seconds) + CONSENT_SECONDS - Date.now() / 1000;
  setCookie(CONSENT_COOKIE, value, `; Max-Age=${Math.max(1, Math.round(left))}`);
}

function setCookie(name: string, value: string, more = ""): void {
  const isSecure = location.protocol === "https:";
  document.cookie = `${isSecure ? "__Host-" : ""}${name}=${value}; Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}${more}`;
}
