import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FullPageOverlay } from "./full-page-overlay.tsx";

it("M1 the overlay is silent until it is shown, then says its lines once, whatever turns the drawn ones take", () => {
  const lines = ["Checking your details", "Nearly there"];
  // The status is there before there is something to say: a screen reader listens to what changes in it.
  expect(renderToStaticMarkup(<FullPageOverlay isShown={false} lines={lines} />)).toMatch(
    /^<div[^>]*role="status"[^>]*><\/div>$/,
  );
  const html = renderToStaticMarkup(<FullPageOverlay isShown lines={lines} />);
  expect(html).toContain("Checking your details Nearly there");
  expect(html).toMatch(/<ul[^>]*aria-hidden="true"[^>]*data-lines="2"/);
});
