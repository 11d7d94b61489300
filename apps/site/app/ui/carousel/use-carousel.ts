import { debounce, RESIZE_DEBOUNCE_MS } from "@farthing/ui/timing/debounce.ts";
import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
import type { EmblaCarouselType } from "embla-carousel";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import { placeAfterSwipe, slidesInView } from "./carousel-rules.ts";

const loadEmbla = () => import("embla-carousel");

/** What is shown. A place is a position at which the carousel stops; it shows as many slides as fit. */
interface View {
  place: number;
  places: number;
  inView: ReadonlySet<number>;
}

/**
 * Turns a row of slides into a carousel with Embla. Until `isWanted`, and where Embla cannot be loaded, the row scrolls
 * sideways. The number of slides in view is read from the custom property --slides, which carousel.css alone sets.
 */
export function useCarousel(
  viewport: RefObject<HTMLDivElement | null>,
  { slides, isWanted, movesByOne }: { slides: number; isWanted: boolean; movesByOne: boolean },
) {
  const { module } = useLazyModule(lazyChunks.carousel, loadEmbla, isWanted);
  const engine = useRef<EmblaCarouselType>(null);
  const [view, setView] = useState<View | null>(null);

  useEffect(() => {
    const root = viewport.current;
    if (!root || !module) return;
    const slidesWide = () => Number(getComputedStyle(root).getPropertyValue("--slides")) || 1;
    const options = () => ({
      slidesToScroll: movesByOne ? 1 : slidesWide(),
      duration: window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 20,
    });
    const embla = module.default(root, {
      ...options(),
      align: "start",
      loop: true,
      watchResize: false, // handled below, 300 ms after the last resize event
      watchSlides: false,
      watchFocus: false, // slides out of view are inert and cannot get the focus
    });
    engine.current = embla;

    const show = () => {
      const { slideRegistry } = embla.internalEngine();
      const place = embla.selectedScrollSnap();
      const first = slideRegistry[place]?.[0] ?? 0;
      setView({
        place,
        places: embla.scrollSnapList().length,
        inView: slidesInView({ first, inView: slidesWide(), slides }),
      });
    };
    root.scrollTo({ left: 0 }); // the person may have scrolled the row before Embla loaded
    show();
    embla.on("select", show).on("reInit", show);
    const stopSwiping = decideSwipes(root, embla);
    const resize = debounce(() => embla.reInit(options()), RESIZE_DEBOUNCE_MS);
    window.addEventListener("resize", resize);
    return () => {
      window.removeEventListener("resize", resize);
      resize.cancel();
      stopSwiping();
      engine.current = null;
      embla.destroy();
    };
  }, [viewport, module, slides, movesByOne]);

  const next = useCallback(() => engine.current?.scrollNext(), []);
  const previous = useCallback(() => engine.current?.scrollPrev(), []);
  const goTo = useCallback((place: number) => engine.current?.scrollTo(place), []);
  return useMemo(() => ({ view, next, previous, goTo }), [view, next, previous, goTo]);
}

/** Decides swipes by distance (40 px), where Embla would decide by speed. Returns the function that stops it. */
function decideSwipes(root: HTMLElement, embla: EmblaCarouselType): () => void {
  let from = { x: 0, y: 0, place: 0 };
  let to = { x: 0, y: 0 };
  const pointOf = (event: MouseEvent | TouchEvent) => {
    const { clientX: x, clientY: y } = "touches" in event ? (event.touches[0] ?? event.changedTouches[0]!) : event;
    return { x, y };
  };
  const begin = (event: MouseEvent | TouchEvent) => {
    to = pointOf(event);
    from = { ...to, place: embla.selectedScrollSnap() };
  };
  const move = (event: MouseEvent | TouchEvent) => {
    to = pointOf(event);
  };
  const passive = { capture: true, passive: true };
  root.addEventListener("touchstart", begin, passive);
  root.addEventListener("mousedown", begin, passive);
  root.addEventListener("touchmove", move, passive);
  document.addEventListener("mousemove", move, passive);
  const decide = () =>
    embla.scrollTo(
      placeAfterSwipe({
        place: from.place,
        places: embla.scrollSnapList().length,
        across: to.x - from.x,
        along: to.y - from.y,
        isRound: embla.internalEngine().options.loop,
      }),
    );
  embla.on("pointerUp", decide);
  return () => {
    embla.off("pointerUp", decide);
    root.removeEventListener("touchstart", begin, passive);
    root.removeEventListener("mousedown", begin, passive);
    root.removeEventListener("touchmove", move, passive);
    document.removeEventListener("mousemove", move, passive);
  };
}
