import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Amount } from "./amount.tsx";

test("C3 a pending amount says so in a word as well as by its look, and a negative amount has a real minus sign", () => {
  expect(renderToStaticMarkup(<Amount pence={1234} />)).toContain(">£12.34</span>");
  const pending = renderToStaticMarkup(<Amount pence={-1234} isPending />);
  expect(pending).toContain("\u2212£12.34");
  expect(pending).toContain(" pending</span>");
});
