import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MonthTable } from "./month-table.tsx";

test("C3 U1 on a phone, where the head of the months is not shown, each amount has the name of its column", () => {
  const month = new Date("2026-11-01T00:00:00Z");
  const amounts = { comingPence: 524, yoursPence: 0, paidPence: 0, declinedPence: 396 };
  const html = renderToStaticMarkup(<MonthTable months={[{ month, purchases: 2, ...amounts }]} />);
  const [, ...columns] = [...html.matchAll(/<th scope="col">([^<]*)/g)].map(([, name]) => name);
  const names = [...html.matchAll(/<td[^>]*data-name="([^"]*)"/g)].map(([, name]) => name);
  expect(columns).toHaveLength(5);
  expect(names).toEqual(columns);
});
