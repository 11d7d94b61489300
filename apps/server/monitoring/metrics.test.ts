import { expect, test } from "vitest";
import { openMetrics } from "./metrics.ts";
import { routePattern } from "../http/route-pattern.ts";

test("S1 P6 thousands of made-up paths add no series", async () => {
  const metrics = openMetrics();
  const series = async () => (await metrics.registry.metrics()).split("\n").length;
  for (const path of ["/", "/nothing", "/retailers/a", "/profile/a"]) metrics.request(routePattern(path), 200, 1);
  const before = await series();
  for (let number = 0; number < 5_000; number += 1)
    for (const path of [`/${number}`, `/retailers/${number}`, `/profile/${number}/x`, `/x${number}/y`])
      metrics.request(routePattern(path), 200, 1);
  expect(await series()).toBe(before);
});
