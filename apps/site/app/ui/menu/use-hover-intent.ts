import { type PointerEvent, useEffect, useRef } from "react";
import { closeDelayMs, type Point, waitBeforeOpening } from "./hover-intent.ts";

/** How many of the pointer's last places are remembered, to see where it is going. */
const places = 4;

/** Opens a section's panel under a mouse that means it (hover-intent.ts). Fingers press instead. */
export function useHoverIntent({
  isActive,
  open,
  isPinned,
  onOpen,
  onClose,
}: {
  isActive: boolean;
  open: number | undefined;
  /** Opened by a press: stays until another press, Escape or the overlay. */
  isPinned: boolean;
  onOpen: (section: number) => void;
  onClose: () => void;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const trail = useRef<Point[]>([]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function after(ms: number, act: () => void) {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, ms);
  }
  const counts = (event: PointerEvent) => isActive && event.pointerType !== "touch";

  return {
    ofRow: {
      onPointerMove({ clientX: x, clientY: y }: PointerEvent) {
        trail.current = [...trail.current.slice(1 - places), { x, y }];
      },
    },
    ofSection: (section: number) => ({
      onPointerEnter(event: PointerEvent) {
        if (!counts(event)) return;
        clearTimeout(timer.current);
        if (open === section) return;
        const to = { x: event.clientX, y: event.clientY };
        const from = trail.current[0] ?? to;
        after(waitBeforeOpening({ isOtherOpen: open !== undefined, from, to }), () => onOpen(section));
      },
      onPointerLeave(event: PointerEvent) {
        if (!counts(event)) return;
        clearTimeout(timer.current);
        if (open !== undefined && !isPinned) after(closeDelayMs, onClose);
      },
    }),
  };
}
