import { debounce, RESIZE_DEBOUNCE_MS } from "@farthing/ui/timing/debounce.ts";
import EmblaCarousel from "embla-carousel";
import { startAutoplay } from "./autoplay.ts";
import { autoplayMs, type CarouselKind, describeView, hasDots, slidesInView } from "./carousel-rules.ts";
import { showDots } from "./dots.ts";
import { decideSwipes } from "./swipes.ts";

/**
 * Turns the row of slides in `root` into a carousel with arrows, dots and autoplay (D8). The number of slides in view
 * is read from the custom property --slides, which carousel.css alone sets.
 */
export function emblaCarousel(root: HTMLElement): void {
  const part = (selector: string) => root.querySelector<HTMLElement>(selector);
  const viewport = part(".carousel-viewport");
  const foot = part(".carousel-foot");
  const status = part(".carousel-status");
  if (!viewport || !foot || !status) return;
  const slides = root.querySelectorAll<HTMLElement>(".carousel-slide");
  const buttons = root.querySelectorAll<HTMLButtonElement>(".carousel-button");
  const kind = root.dataset["kind"] as CarouselKind;

  const slidesWide = () => Number(getComputedStyle(viewport).getPropertyValue("--slides")) || 1;
  const options = () => ({
    slidesToScroll: kind === "logos" ? 1 : slidesWide(),
    duration: window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 20,
  });
  const embla = EmblaCarousel(viewport, {
    ...options(),
    align: "start",
    loop: true,
    watchResize: false, // handled below, 300 ms after the last resize event
    watchSlides: false,
    watchFocus: false, // slides out of view are inert and cannot get the focus
  });
  const autoplay = startAutoplay(root, { everyMs: autoplayMs[kind], next: () => embla.scrollNext() });

  let words = "";
  const show = () => {
    const place = embla.selectedScrollSnap();
    const places = embla.scrollSnapList().length;
    const first = embla.internalEngine().slideRegistry[place]?.[0] ?? 0;
    const inView = slidesInView({ first, inView: slidesWide(), slides: slides.length });
    const canMove = places > 1;
    words = describeView(inView, slides.length);
    for (const [index, slide] of slides.entries()) slide.inert = !inView.has(index);
    for (const button of buttons) button.disabled = !canMove;
    if (hasDots(places)) showDots(foot, { place, places });
    else foot.replaceChildren(...(canMove ? [lineOf(words)] : []));
    root.dataset["ready"] = "";
    root.toggleAttribute("data-moves", canMove);
    autoplay.restart(canMove);
  };
  viewport.scrollTo({ left: 0 }); // the person may have scrolled the row before the script loaded
  show();
  embla.on("select", show).on("reInit", show);
  decideSwipes(viewport, embla);
  window.addEventListener(
    "resize",
    debounce(() => embla.reInit(options()), RESIZE_DEBOUNCE_MS),
  );

  /** Only the person's own moves are announced: autoplay would announce without end. */
  root.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-move], .carousel-dot") : null;
    if (!button) return;
    if (button.dataset["move"] === "next") embla.scrollNext();
    else if (button.dataset["move"] === "previous") embla.scrollPrev();
    else embla.scrollTo([...(button.parentElement?.children ?? [])].indexOf(button));
    status.textContent = words;
  });
}

function lineOf(words: string): HTMLElement {
  const line = document.createElement("p");
  line.className = "soft figures";
  line.textContent = words;
  return line;
}
