import { expect, test } from "vitest";
import { EXPORT_FILES } from "./export-files.ts";
import { exportIndex } from "./export-index.ts";

const now = new Date("2026-11-20T12:00:00Z");
const page = (more: Partial<Parameters<typeof exportIndex>[0]>) =>
  exportIndex({ brand: { name: "Club" }, memberName: "Ada", now, counts: new Map(), attachments: [], ...more });

test("S1 names of brands, members and files are escaped", () => {
  const html = page({ brand: { name: 'brand<b>&"' }, memberName: 'member<b>&"', attachments: ['file<b>&".jpg'] });
  for (const [place, times] of [
    ["brand", 2],
    ["member", 1],
    ["file", 2],
  ] as const)
    expect(html.split(`${place}&lt;b&gt;&amp;&quot;`)).toHaveLength(times + 1);
  expect(html).not.toContain("<b>");
});

test("M5 files with rows are linked, and empty ones named as empty", () => {
  const [first, second] = EXPORT_FILES as unknown as [{ name: string }, { name: string }];
  const html = page({ counts: new Map([[first.name, 2]]) });
  expect(html).toContain(`csv/${first.name}.csv`);
  expect(html).not.toContain(`csv/${second.name}.csv`);
  expect(html).not.toContain("Files you sent us");
});
