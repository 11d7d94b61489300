import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RetryLoad } from "./retry-load.tsx";

it("T5 a part of the page that could not be loaded says so in plain words, aloud too, with a way to try again", () => {
  const html = renderToStaticMarkup(<RetryLoad onRetry={() => {}} />);
  expect(html).toMatch(/^<div[^>]*role="alert"/);
  expect(html).toContain("could not be loaded");
  expect(html).toMatch(/<button type="button"[^>]*>Try again<\/button>/);
  expect(renderToStaticMarkup(<RetryLoad onRetry={() => {}}>The QR code is missing.</RetryLoad>)).toContain(
    "The QR code is missing.",
  );
});
