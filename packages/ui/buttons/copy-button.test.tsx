import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CopyButton } from "./copy-button.tsx";

test("O3 P8 Copy code is disabled until its script has loaded", () => {
  const html = renderToStaticMarkup(<CopyButton target="offer-code" />);
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Copy code<\/button>/);
  expect(html).toContain('role="status"');
});
