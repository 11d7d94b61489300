import type { EnvironmentName } from "./environments.ts";
import type { RedirectConfiguration, WidgetEvent } from "./messages.ts";

/** The widget's properties (W1), except style and className, which each entry applies to its host element. */
export type WidgetProperties = {
  /** A token from your server, valid for one load of the widget and a short time. While it is empty, nothing is shown: an empty one removes the frame. */
  token: string;
  environment: EnvironmentName;
  /** The page of the service to show. Default: "/". */
  path?: string | null | undefined;
  redirect?: RedirectConfiguration | undefined;
  onEvent?: ((event: WidgetEvent) => void) | undefined;
  /** Whether the modal also shows the card provider's error messages (W8). Default: false. */
  showPaymentErrors?: boolean | undefined;
  /** Whether the frame's height follows its content, within limits. Default: false, the frame fills its box. */
  autoHeight?: boolean | undefined;
  /** "lazy" loads the frame when it comes near the view. Default: "eager". */
  loading?: "eager" | "lazy" | undefined;
  /** Whether a grey box is shown until the frame's page is ready. Default: false. */
  skeleton?: boolean | undefined;
  /**
   * The language of the card form, as a BCP 47 tag or "auto". Default: "en-GB". The dialog's own words follow it in Welsh, German, Spanish, French,
   * Italian, Polish, Portuguese and Romanian, and are English otherwise.
   */
  locale?: string | undefined;
  /** The frame's name for assistive technology. Default: "Farthing". */
  frameTitle?: string | undefined;
  /** The look of the card provider's form: the provider's Appearance API. */
  appearance?: Record<string, unknown> | undefined;
};
