import { readFileSync } from "node:fs";
import { pageEntries as adminPages } from "@farthing/admin/pages.ts";
import { pageEntries } from "@farthing/site/pages.ts";
import { expect, test } from "vitest";

test("P3 the page about proxies lists every page that takes a file", () => {
  const page = readFileSync(new URL("../../../docs/operations/behind-a-proxy.md", import.meta.url), "utf8");
  const item = /^- Allow bodies of[^]+?(?=^- )/m.exec(page)?.[0] ?? "";
  const documented = [...item.matchAll(/`(\/[^`]+)`/g)].map((match) => match[1]);
  const taking = [...pageEntries, ...adminPages].filter(
    ([, facts]) => "multipart" in facts && facts.multipart === "file",
  );
  expect(new Set(documented)).toEqual(new Set(taking.map(([path]) => path)));
});
