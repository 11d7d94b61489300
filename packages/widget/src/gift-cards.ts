import type { WidgetEvent } from "./messages.ts";
import { mountWidget, type Widget } from "./mount-widget.ts";
import { MIN_HEIGHT_PX, portalHeight } from "./portal-height.ts";
import { PORTAL_PATH } from "./portal-path.ts";
import type { WidgetProperties } from "./widget-properties.ts";

export { defineEnvironments } from "./environments.ts";
export { PORTAL_PATH } from "./portal-path.ts";
export type { Widget } from "./mount-widget.ts";
export type * from "./types.ts";

/**
 * The portal's properties (G1), except style and className, which each entry applies to its host element: environment, token, path (default:
 * "/portal"), redirect, onEvent, and what else the payment widget takes. The height always follows the content. Default of `skeleton`: true.
 */
export type GiftCardsProperties = Omit<WidgetProperties, "autoHeight">;

/**
 * Mounts the gift-card portal into `host`. The height of `host` follows the content's RESIZE, at least 600 px, and is the portal's own until it is
 * destroyed.
 * @throws TypeError as mountWidget does
 */
export function mountGiftCards(host: HTMLElement, properties: GiftCardsProperties): Widget {
  const { height, minHeight } = host.style;
  /** The box's own style, until it is restored: after that the box may be another's. */
  let before: object | undefined = { height, minHeight };
  let current = properties;
  let shown: number;

  function hear(event: WidgetEvent): void {
    if (event.type === "RESIZE") followed.report(event.payload.height);
    current.onEvent?.(event);
  }

  function complete(given: GiftCardsProperties): WidgetProperties {
    const { onEvent } = given;
    return {
      skeleton: true,
      ...given,
      path: given.path || PORTAL_PATH,
      frameTitle: given.frameTitle || "Gift cards",
      autoHeight: false, // the frame fills its box, and the box follows
      onEvent: onEvent && !(onEvent instanceof Function) ? onEvent : hear, // the widget refuses a wrong one
    };
  }

  const widget = mountWidget(host, complete(properties));
  const followed = portalHeight((next) => holdHeight(host, (shown = next)));
  return {
    update(next) {
      widget.update(complete(next));
      current = next;
      holdHeight(host, shown); // the page may have written a style of its own
    },
    destroy() {
      widget.destroy();
      followed.stop();
      Object.assign(host.style, before);
      before = undefined;
    },
  };
}

/** Sets the height of the portal's box, and keeps style sheets from making it lower than 600 px. */
export function holdHeight(host: HTMLElement, height = MIN_HEIGHT_PX): void {
  Object.assign(host.style, { height: `${height}px`, minHeight: `${MIN_HEIGHT_PX}px` });
}
