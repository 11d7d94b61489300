import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textOf } from "../../../testing/site.testing.ts";
import { OpenClicks } from "./open-clicks.tsx";

const click = {
  clickNumber: "F9P4-ABCD-EFGH",
  retailer: { slug: "fernhollow-boots", name: "Fernhollow Boots" },
  clickedAt: new Date("2026-11-20T12:00:00Z"),
  tracksBy: new Date("2026-11-27T12:00:00Z"),
};
const shown = (now: string) => textOf(renderToStaticMarkup(<OpenClicks clicks={[click]} now={new Date(now)} />));

test("C7 a visit without a purchase leads to the claim, and says from when while it is early", () => {
  const early = shown("2026-11-21T12:00:00Z");
  expect(early).toContain("it should show by 27 November, and can be claimed from then.");
  const late = shown("2026-11-28T12:00:00Z");
  expect(late).toContain("it should have shown by 27 November. Missing? Claim it");
});
