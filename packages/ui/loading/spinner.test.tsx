import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Spinner } from "./spinner.tsx";

test("O6 a spinner without a label is decoration; one with a label announces it", () => {
  expect(renderToStaticMarkup(<Spinner />)).toContain('aria-hidden="true"');
  expect(renderToStaticMarkup(<Spinner label="Loading" />)).toMatch(/role="status" aria-label="Loading"/);
});
