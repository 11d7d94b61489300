import { CLOSE_DELAY_MS, createHoverTimer, type Point, waitBeforeOpening } from "./hover-intent.ts";
import type { MenuPlace } from "./menu-place.ts";

/** How many of the pointer's last positions are kept, to see its direction. */
const MAX_POSITIONS = 4;

/**
 * Opens a section's panel when a mouse rests on it or moves towards it (hover-intent.ts). Touch is ignored:
 * fingers press.
 */
export function startHover(
  nav: HTMLElement,
  { at, isActive, show }: { at: () => MenuPlace; isActive: () => boolean; show: (to: MenuPlace) => void },
): void {
  const timer = createHoverTimer();
  let trail: Point[] = [];
  const counts = (event: PointerEvent) => isActive() && event.pointerType !== "touch";

  const row = nav.querySelector<HTMLElement>(".menu-sections");
  row?.addEventListener("click", timer.ofRow.onClick);
  row?.addEventListener("keydown", timer.ofRow.onKeyDown);
  row?.addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    trail = [...trail.slice(1 - MAX_POSITIONS), { x, y }];
  });

  nav.querySelectorAll<HTMLElement>(".menu-section").forEach((element, section) => {
    if (!element.querySelector(".menu-panel")) return;
    element.addEventListener("pointerenter", (event) => {
      if (!counts(event)) return;
      timer.cancel();
      const open = at().section;
      if (open === section) return;
      const to = { x: event.clientX, y: event.clientY };
      const from = trail[0] ?? to;
      timer.after(waitBeforeOpening({ isOtherOpen: open !== undefined, from, to }), () => show({ section }));
    });
    element.addEventListener("pointerleave", (event) => {
      if (!counts(event)) return;
      timer.cancel();
      if (at().section !== undefined && !at().isPinned) timer.after(CLOSE_DELAY_MS, () => show({}));
    });
  });
}
