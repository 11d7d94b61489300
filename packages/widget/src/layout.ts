import { followHeight, type FollowedHeight, type HeightLimits } from "./frame-height.ts";
import type { WidgetProperties } from "./widget-properties.ts";

const LIMITS: HeightLimits = { min: 150, max: 20_000 };
/** How far below the view a lazy widget starts to load. */
const NEAR = "200px";

export type LayoutFrame = {
  /** The content's height changed. */
  resize(height: number): void;
  /** The frame's page is there, or will not come. */
  ready(): void;
};

/** Applies the opt-in layout to a frame: its height follows its content, and a grey box stands in for its page until it is ready. */
export function layOutFrame(
  element: HTMLIFrameElement,
  { autoHeight, skeleton }: Pick<WidgetProperties, "autoHeight" | "skeleton">,
): LayoutFrame {
  let followed: FollowedHeight | undefined;
  let pulse: Animation | undefined;
  if (skeleton) {
    element.style.background = "#8883";
    element.ariaBusy = "true";
    if (!matchMedia("(prefers-reduced-motion)").matches) {
      pulse = element.animate([{ opacity: 0.5 }], { duration: 900, iterations: Infinity, direction: "alternate" });
    }
  }
  return {
    resize(height) {
      if (!autoHeight) return;
      followed = followHeight(followed, height, performance.now(), LIMITS);
      element.style.setProperty("height", `${followed.height}px`, "important");
    },
    ready() {
      pulse?.cancel();
      element.style.background = "";
      element.ariaBusy = null;
    },
  };
}

/** Makes `host` a block, unless the page says otherwise: an inline box would not give the frame its height. */
export function keepBlock(host: HTMLElement): void {
  if (getComputedStyle(host).display === "inline") host.style.display = "block";
}

/** Calls back once `host` comes near the view. Returns a function that stops watching. */
export function whenNearView(host: Element, onNear: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onNear();
    },
    { rootMargin: NEAR },
  );
  observer.observe(host);
  return () => observer.disconnect();
}
