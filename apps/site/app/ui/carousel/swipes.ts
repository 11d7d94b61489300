import type { EmblaCarouselType } from "embla-carousel";
import { placeAfterSwipe } from "./carousel-rules.ts";

/** Decides swipes by distance (40 px), where Embla would decide by speed. */
export function decideSwipes(viewport: HTMLElement, embla: EmblaCarouselType): void {
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
  viewport.addEventListener("touchstart", begin, passive);
  viewport.addEventListener("mousedown", begin, passive);
  viewport.addEventListener("touchmove", move, passive);
  document.addEventListener("mousemove", move, passive);
  embla.on("pointerUp", () =>
    embla.scrollTo(
      placeAfterSwipe({
        place: from.place,
        places: embla.scrollSnapList().length,
        across: to.x - from.x,
        along: to.y - from.y,
        isRound: embla.internalEngine().options.loop,
      }),
    ),
  );
}
