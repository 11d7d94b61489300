import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Skeleton } from "./skeleton.tsx";

it("U1 outlines of what is on its way are drawn as often as asked, and said once", () => {
  const html = renderToStaticMarkup(<Skeleton kind="card" count={3} label="Loading offers" />);
  expect(html.match(/class="skeleton"/g)).toHaveLength(3);
  expect(html).toContain('role="status" aria-label="Loading offers"');
});
