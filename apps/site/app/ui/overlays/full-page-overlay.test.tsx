import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FullPageOverlay } from "./full-page-overlay.tsx";

test("M1 the overlay announces nothing until it is shown, and then all its lines once", () => {
  const lines = ["Checking your details", "Nearly there"];
  // The status element is there from the start, because screen readers announce changes only.
  expect(renderToStaticMarkup(<FullPageOverlay isShown={false} lines={lines} />)).toMatch(
    /^<div[^>]*role="status"[^>]*><\/div>$/,
  );
  const html = renderToStaticMarkup(<FullPageOverlay isShown lines={lines} />);
  expect(html).toContain("Checking your details Nearly there");
  expect(html).toMatch(/<ul[^>]*aria-hidden="true"[^>]*data-lines="2"/);
});
