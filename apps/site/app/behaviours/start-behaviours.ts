import { keptCardGuard } from "../routes/digital-ids/kept-card-guard.behaviour.ts";
import { loginConfetti } from "../routes/sign-in/login-confetti.behaviour.ts";
import { loginProblem } from "../routes/sign-in/login-problem.behaviour.ts";
import { carousels } from "../ui/carousel/carousel.behaviour.ts";
import { loadingButtons } from "../ui/forms/loading-button.behaviour.ts";
import { offlineForms } from "../ui/forms/offline-form.behaviour.ts";
import { consent } from "../ui/consent/consent.behaviour.ts";
import { alertBanner } from "../ui/layout/alert-banner.behaviour.ts";
import { backToTop } from "../ui/layout/back-to-top.behaviour.ts";
import { listForms } from "../ui/lists/list-form.behaviour.ts";
import { logoGrids } from "../ui/lists/logo-grid.behaviour.ts";
import { menu } from "../ui/menu/menu.behaviour.ts";
import { pageOverlay } from "../ui/overlays/page-overlay.behaviour.ts";
import { searchForm } from "../ui/search/search-form.behaviour.ts";
import { collapsibleTexts } from "../ui/text/collapsible-text.behaviour.ts";
import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { lazyChunks } from "../lazy-chunks.ts";
import type { Behaviour } from "./behaviour.ts";

/** The behaviours of all pages. What is large or rare loads its script later (@farthing/ui/loading/lazy-module.ts). */
const behaviours: Behaviour[] = [
  menu,
  searchForm,
  pageOverlay,
  backToTop,
  alertBanner,
  carousels,
  collapsibleTexts,
  listForms,
  loadingButtons,
  logoGrids,
  loginProblem,
  keptCardGuard,
  loginConfetti,
  consent,
  offlineForms,
];

/**
 * Starts the behaviours of the page. Those of offers, members' pages and frames load after the others, because most pages do without their bytes;
 * until then, links and forms work as without script.
 */
export async function startBehaviours(): Promise<void> {
  await startAll(behaviours);
  const selector =
    ".offer, .profile-nav, form[data-signed-in], [data-half-filled], [data-form-arrived], .gift-card-code, [data-copies], [data-checked-by], [data-frame-host], [data-portal-host], [data-gift-cards], [data-keeps-gift-card], [data-wallet]";
  if (document.querySelector(selector)) await startOfferBehaviours();
  document.documentElement.dataset["script"] = "started";
}

async function startOfferBehaviours(): Promise<void> {
  try {
    await startAll(
      (await loadModule(lazyChunks.offers, () => import("../routes/offers/offer-behaviours.ts"))).offerBehaviours,
    );
  } catch {
    // The loader has logged the error.
  }
}

/** Starts every behaviour on its elements, and waits for those that load a script. One that fails does not stop the others. */
async function startAll(list: readonly Behaviour[]): Promise<void> {
  const loading: Promise<void>[] = [];
  for (const { selector, start } of list) {
    for (const element of selector === undefined
      ? [document.documentElement]
      : document.querySelectorAll<HTMLElement>(selector)) {
      try {
        loading.push(Promise.resolve(start(element)).catch(reportError));
      } catch (error) {
        reportError(error);
      }
    }
  }
  await Promise.all(loading);
}
