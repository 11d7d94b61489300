import type { WidgetEvent } from "@farthing/widget";
import type { Behaviour } from "../../behaviours/behaviour.ts";

const NAME = "farthing-gift-cards";
/** The published script, at the address that every partner loads it from. */
const SCRIPT = "/widget/farthing-gift-cards.js";
const TOKENS = "/api/portal/token";
/** The time limit of the site's own lazy parts (T5). */
const TIMEOUT_MS = 120_000;

/** Problems after which the frame is empty. After all others its page says itself what is wrong. */
const EMPTY_FRAME: readonly string[] = ["set_up", "frame_silent", "frame_timeout"];
/** Problems that another token solves: this one was used, or is too old. */
const NEEDS_TOKEN: readonly string[] = ["spent", "expired", "session-ended"];

/**
 * Opens the gift-card portal as a partner's page does (G1): loads the published script, fetches a token and gives it to
 * the element. If any of this fails, it logs an error and shows the person a way on.
 */
export const giftCardsPage: Behaviour = {
  selector: "[data-gift-cards]",
  start(section) {
    const portal = section.querySelector<HTMLElement & { token?: string }>(NAME)!;
    const problem = section.querySelector<HTMLElement>(".gift-cards-problem")!;
    let hasRenewed = false;

    function fail(reason: unknown): void {
      console.error(`The gift-card portal did not open: ${reason instanceof Error ? reason.message : String(reason)}`);
      show(false);
    }

    function show(isOpen: boolean): void {
      portal.hidden = !isOpen;
      problem.hidden = isOpen;
    }

    async function renew(): Promise<void> {
      portal.token = await fetchToken();
    }

    async function open(): Promise<void> {
      const [token] = await Promise.all([fetchToken(), loadScript()]);
      if (!("token" in (customElements.get(NAME)?.prototype ?? {}))) throw new Error(`${NAME} was not registered`);
      portal.token = token;
    }

    portal.addEventListener("farthing-event", (event) => {
      const { type, payload } = (event as CustomEvent<WidgetEvent>).detail;
      // Also after "frame_silent": on a slow line the portal's script can be late.
      if (type === "READY") show(true);
      if (type !== "LOAD_ERROR") return;
      if (EMPTY_FRAME.includes(payload.reason)) fail(payload.message);
      else if (NEEDS_TOKEN.includes(payload.reason) && !hasRenewed) {
        hasRenewed = true;
        renew().catch(fail);
      }
    });
    open().catch(fail);
  },
};

async function fetchToken(): Promise<string> {
  const answer = await fetch(TOKENS, { method: "POST", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${TOKENS} answered ${answer.status}`);
  return ((await answer.json()) as { token: string }).token;
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${SCRIPT} was not loaded`));
    const script = Object.assign(document.createElement("script"), {
      src: SCRIPT,
      onload: () => resolve(),
      onerror: fail,
    });
    setTimeout(fail, TIMEOUT_MS);
    document.head.append(script);
  });
}
