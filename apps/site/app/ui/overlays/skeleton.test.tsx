import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Skeleton } from "./skeleton.tsx";

test("U1 a skeleton draws as many outlines as asked for and announces them once", () => {
  const html = renderToStaticMarkup(<Skeleton kind="card" count={3} label="Loading offers" />);
  expect(html.match(/class="skeleton"/g)).toHaveLength(3);
  expect(html).toContain('role="status" aria-label="Loading offers"');
});
