import type { ReactNode } from "react";

interface Common {
  children: ReactNode;
  id?: string;
  className?: string;
  /** Also asks the person in words to leave the page open. */
  asksForPatience?: boolean;
  describedBy?: string;
  /** The address of the check that runs before the new tab opens (opening-check.ts). */
  checkedBy?: string | undefined;
  /** Attributes that telemetry reads (docs/telemetry-client.md). */
  marks?: Readonly<Record<`data-${string}`, string>> | undefined;
}

/**
 * A submit button that shows a spinner, is disabled at the click and submits its form half a second later (O6):
 * loading-button.behaviour.ts. Without script it is a plain submit button. `opens` is an address that opens in a new tab
 * as the form is sent; where the browser blocks the tab, the form is sent all the same.
 */
export function LoadingButton({ opens, ...common }: Common & { opens?: string | undefined }) {
  return (
    <>
      <button type="submit" data-opens={opens} {...attributesOf(common)}>
        <span className="button-label">{common.children}</span>
        {spinnerPlace}
      </button>
      {busyNote}
    </>
  );
}

/**
 * The same for a link. While busy it has no href, which is how HTML disables a link, and it keeps the focus. A new tab
 * opens after the half second too; where the browser blocks it, the page says so and the link becomes a plain one
 * (docs/decisions/021-new-tabs-after-half-a-second.md), as it always is without script.
 */
export function LoadingLink({
  href,
  opensNewTab = false,
  ...common
}: Common & { href: string; opensNewTab?: boolean }) {
  return (
    <>
      <a href={href} {...(opensNewTab ? { target: "_blank", rel: "noopener" } : {})} {...attributesOf(common)}>
        <span className="button-label">{common.children}</span>
        {spinnerPlace}
      </a>
      {busyNote}
    </>
  );
}

function attributesOf({ id, className = "", asksForPatience = false, describedBy, checkedBy, marks }: Common) {
  return {
    ...marks,
    id,
    className: `button ${className}`,
    "aria-describedby": describedBy,
    "data-checked-by": checkedBy,
    "data-loading-button": asksForPatience ? "patience" : "",
    // A press may come before the island around the button wakes.
    suppressHydrationWarning: true,
  };
}

/** What the behaviour fills. React never looks into these elements, in islands neither: they stay the same objects. */
const filledByScript = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: "" } };
const spinnerPlace = <span className="spinner-place" {...filledByScript} />;
/** Announces what happens. The element is there from the start, because screen readers announce changes only. */
const busyNote = <span role="status" className="visually-hidden" {...filledByScript} />;
