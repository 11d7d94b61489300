import { CONSENT_COOKIE, VISIT_COOKIE, WITHOUT_SCRIPT } from "@farthing/core/consent/consent-cookie.ts";
import { CONSENT_SECONDS } from "@farthing/core/consent/rules.ts";
import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { PageVariables } from "@farthing/telemetry/telemetry-events.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { offerToAsk } from "./ask-for-messages.ts";

const root = document.documentElement;
/** Stops what has been started on this page. */
let stop: (() => void) | null = null;

/**
 * Answers the question of consent without loading the page again, and starts what has been agreed to (T6). Nothing else on the site starts any of it.
 */
export function startConsent(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(".consent-banner form, .consent-form"))
    form.addEventListener("submit", (event) => void answer(event, form));
  takeOffMark();
  offerToAsk();
  if (granted().length === 0) return;
  // A page that the browser prepares may never be seen.
  if ("prerendering" in document && document.prerendering)
    document.addEventListener("prerenderingchange", () => void start([]), { once: true });
  else void start([]);
}

const granted = () => (root.dataset["consent"] ?? "").split(" ").filter((purpose) => asked().includes(purpose));
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
  const purposes = new RegExp(`${CONSENT_COOKIE}=\\d+\\.\\d+\\.([a-z-]+)`).exec(document.cookie)?.[1] ?? "none";
  root.dataset["consent"] = purposes === "none" ? "" : purposes.replaceAll("-", " ");
  const lost = before.filter((purpose) => !granted().includes(purpose));
  if (lost.length > 0) await end(lost);
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
  const purposes = granted();
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
    stop = startTelemetry({ variables, sessionId: visitId(), sendsEvents, pushesData });
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
 * Ends what is no longer agreed to, and deletes what it has stored here. The server deletes the cookies, also without script. A tag that runs can't be
 * stopped, so where one may the page loads again.
 */
async function end(lost: readonly string[]): Promise<void> {
  stop?.();
  stop = null;
  if (lost.includes("tags")) {
    const isOurs = (key: string) => /^(farthing|__stripe)/.test(key);
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (!isOurs(key)) storage.removeItem(key);
  }
  if (lost.includes("messages")) await stopMessages();
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
