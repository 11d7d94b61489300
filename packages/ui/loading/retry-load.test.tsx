import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RetryLoad } from "./retry-load.tsx";

test("T5 a part of the page that could not be loaded shows and announces a message, with a button to try again", () => {
  const html = renderToStaticMarkup(<RetryLoad onRetry={() => {}} />);
  expect(html).toMatch(/^<div[^>]*role="alert"/);
  expect(html).toContain("could not be loaded");
  expect(html).toMatch(/<button type="button"[^>]*>Try again<\/button>/);
  expect(renderToStaticMarkup(<RetryLoad onRetry={() => {}}>The QR code is missing.</RetryLoad>)).toContain(
    "The QR code is missing.",
  );
});
