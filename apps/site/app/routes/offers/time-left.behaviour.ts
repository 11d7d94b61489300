import type { Behaviour } from "../../behaviours/behaviour.ts";
import { clockOffset, isShown, msUntilNext, timeLeft, timeLeftInWords } from "./time-left.ts";

/** Counts down the last day of an offer (O7). The server's text stays the same until then. */
export const offerTimeLeft: Behaviour = {
  selector: ".time-left",
  start(element) {
    const endsAt = Number(element.dataset["endsAt"]);
    const offset = clockOffset(Number(element.dataset["renderedAt"]), Date.now(), { isKept: isFromHistory() });
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tick = () => {
      const left = timeLeft(endsAt, Date.now() + offset, isCalm);
      element.hidden = !isShown(left);
      element.textContent = timeLeftInWords(left);
      if (left.ms > 0) window.setTimeout(tick, msUntilNext(left));
      else showThatItIsOver();
    };
    tick();
  },
};

/** A browser can show a page of its history as it kept it, without asking the server: nothing is transferred then. */
function isFromHistory(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "back_forward" && navigation.transferSize === 0;
}

/** Turns the page into the one that the server would return now. The markup says what changes: offer-article.tsx. */
function showThatItIsOver(): void {
  const over = document.querySelector<HTMLTemplateElement>("#offer-over");
  if (!over) return;
  document.querySelector(".deal-panel")?.replaceWith(over.content);
  document.querySelector(".offer")?.classList.add("is-over");
  for (const part of document.querySelectorAll("[data-until-over]")) part.remove();
  for (const text of document.querySelectorAll<HTMLElement>("[data-when-over]"))
    text.textContent = text.dataset["whenOver"] ?? "";
}
