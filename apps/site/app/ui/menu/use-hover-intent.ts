import { type PointerEvent, useEffect, useRef, useState } from "react";
import { CLOSE_DELAY_MS, createHoverTimer, type Point, waitBeforeOpening } from "./hover-intent.ts";

/** How many of the pointer's last positions are kept, to see its direction. */
const MAX_POSITIONS = 4;

/**
 * Opens a section's panel when a mouse rests on it or moves towards it (hover-intent.ts). Touch is ignored:
 * fingers press.
 */
export function useHoverIntent({
  isActive,
  open,
  isPinned,
  onOpen,
  onClose,
}: {
  isActive: boolean;
  open: number | undefined;
  /** Opened by a press: stays open until another press, Escape or a press on the overlay. */
  isPinned: boolean;
  onOpen: (section: number) => void;
  onClose: () => void;
}) {
  const [timer] = useState(createHoverTimer);
  const trail = useRef<Point[]>([]);
  useEffect(() => timer.cancel, [timer]);
  const counts = (event: PointerEvent) => isActive && event.pointerType !== "touch";

  return {
    ofRow: {
      ...timer.ofRow,
      onPointerMove({ clientX: x, clientY: y }: PointerEvent) {
        trail.current = [...trail.current.slice(1 - MAX_POSITIONS), { x, y }];
      },
    },
    ofSection: (section: number) => ({
      onPointerEnter(event: PointerEvent) {
        if (!counts(event)) return;
        timer.cancel();
        if (open === section) return;
        const to = { x: event.clientX, y: event.clientY };
        const from = trail.current[0] ?? to;
        timer.after(waitBeforeOpening({ isOtherOpen: open !== undefined, from, to }), () => onOpen(section));
      },
      onPointerLeave(event: PointerEvent) {
        if (!counts(event)) return;
        timer.cancel();
        if (open !== undefined && !isPinned) timer.after(CLOSE_DELAY_MS, onClose);
      },
    }),
  };
}
