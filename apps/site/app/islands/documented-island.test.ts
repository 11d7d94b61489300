import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";

// Runs the island of CONTRIBUTING.md: builds it where a page's island lies, and renders it as the server does.

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const site = join(root, "apps/site");

test("P8 the island of CONTRIBUTING.md is rendered with its props, to be hydrated by its name", async () => {
  const text = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const code = /```tsx run-by=apps\/site\/app\/islands\/documented-island\.test\.ts\n([^]*?)```/.exec(text)?.[1] ?? "";
  const place = join(site, "app/routes/members/name-length.island.tsx");
  const { output } = (await build({
    root: site,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "the document's code",
        resolveId: (id) => (id === place ? id : null),
        load: (id) => (id === place ? code : null),
      },
    ],
    build: { ssr: place, write: false },
  })) as Rolldown.RolldownOutput;
  // Where the built module finds React, and no build takes it for a source.
  const folder = await mkdtemp(join(root, "node_modules/.island-example-"));
  try {
    await writeFile(join(folder, "island.mjs"), output[0].code);
    const { default: NameLength } = (await import(pathToFileURL(join(folder, "island.mjs")).href)) as {
      default: React.FunctionComponent<{ name: string; max: number }>;
    };
    const html = renderToString(createElement(NameLength, { name: "Ada", max: 120 }));
    expect(html).toContain('<site-island name="name-length"');
    expect(html).toContain("{&quot;name&quot;:&quot;Ada&quot;,&quot;max&quot;:120}");
    expect(html.replaceAll("<!-- -->", "")).toContain("Name (117 left)");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(code.trim().split("\n").length, "lines, as CONTRIBUTING.md says").toBe(14);
});
