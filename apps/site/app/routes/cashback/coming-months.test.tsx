import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textOf } from "../../../testing/site.testing.ts";
import { ComingMonths } from "./coming-months.tsx";

const month = new Date("2026-12-01T00:00:00Z");
const nothingLate = { purchases: 0, pence: 0 };
const shown = (purchases: number, toConfirm: number) =>
  textOf(
    renderToStaticMarkup(
      <ComingMonths coming={[{ month, purchases, toConfirm, pence: 2209 }]} overdue={nothingLate} laterPence={0} />,
    ),
  );

test("C3 a month says whether its money becomes the member's by then, or is to be confirmed first", () => {
  expect(shown(1, 0)).toContain("December 2026 1 purchase to become yours");
  expect(shown(2, 2)).toContain("2 purchases to be confirmed");
  expect(shown(3, 1)).toContain("3 purchases, 1 to be confirmed first");
});

test("C3 what has no date says so, and nothing on its way is a sentence", () => {
  const text = (laterPence: number) =>
    textOf(renderToStaticMarkup(<ComingMonths coming={[]} overdue={nothingLate} laterPence={laterPence} />));
  expect(text(100)).toContain("Later, or no date yet");
  expect(text(0)).toContain("Nothing is on its way");
});

test("C3 what is late has a row of its own, so that the rows amount to what is on its way", () => {
  const coming = [{ month, purchases: 1, toConfirm: 1, pence: 2209 }];
  const text = textOf(
    renderToStaticMarkup(<ComingMonths coming={coming} overdue={{ purchases: 2, pence: 640 }} laterPence={100} />),
  );
  expect(text).toMatch(/^\s*Late 2 purchases expected before now.*£6\.40.*£22\.09.*£1\.00/);
});
