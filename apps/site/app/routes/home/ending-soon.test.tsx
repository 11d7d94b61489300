import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textOf } from "../../../testing/site.testing.ts";
import { offer } from "../../ui/cards/example-catalogue.ts";
import { EndingSoon } from "./ending-soon.tsx";

test("D1 a row of what ends soon shows what is sold, where the headline does not say it", () => {
  const shown = (headline: string, title: string) =>
    renderToStaticMarkup(
      <EndingSoon offers={[{ ...offer, headline, title }]} now={new Date("2026-11-20T12:00:00Z")} />,
    );
  expect(shown("From £9", "Wall planners from £9")).toMatch(
    /<span[^>]*aria-hidden="true">Wall planners from £9<\/span>/,
  );
  expect(textOf(shown("15% off", "15% off"))).not.toMatch(/15% off : 15% off .*15% off/);
});
