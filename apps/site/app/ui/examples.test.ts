import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import routes from "../routes.ts";
import { examplePages } from "./example-paths.ts";
import { partExamples } from "./example-parts.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PARENTS = ["apps/site/app/ui", "packages/ui"];

/** Files with markup that show nothing by themselves, and why. */
const WITHOUT_EXAMPLES: Readonly<Record<string, string>> = {
  "apps/site/app/ui/consent/page-variables.tsx": "draws nothing: data for scripts",
  "apps/site/app/ui/favourites/favourites.tsx": "provides the context that every favourite button reads",
  "apps/site/app/ui/forms/additional-fields-markup.server.tsx": "renders additional-fields to a string",
  "apps/site/app/ui/lists/list-facts.tsx": "draws nothing: structured data of the page's own offers",
  "apps/site/app/ui/overlays/page-overlay.tsx": "dims the page behind the menu and the search, which open it",
};

const folders = PARENTS.flatMap((parent) =>
  readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => `${parent}/${name}`),
);
const componentsOf = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx") && file !== "examples.tsx")
    .filter((file) => !Object.hasOwn(WITHOUT_EXAMPLES, `${folder}/${file}`))
    .map((file) => file.replace(/\.tsx$/, ""));
const parts = folders.filter((folder) => componentsOf(folder).length > 0);

describe("examples of components", () => {
  test("U1 every folder with components has examples, and no examples remain of a folder that is gone", () => {
    expect(Object.keys(partExamples).sort()).toEqual(parts.sort());
  });

  test.each(parts)(
    "U1 every component of %s has an example, and no example remains of a component that is gone",
    (part) => {
      const examples = partExamples[part] ?? {};
      expect(Object.keys(examples).sort()).toEqual(componentsOf(part).sort());
      for (const [component, states] of Object.entries(examples)) {
        expect(states.length, component).toBeGreaterThan(0);
        expect(new Set(states.map(({ name }) => name)).size, `names of ${component}`).toBe(states.length);
      }
    },
  );

  test("U1 every page of examples has an address of its own", () => {
    const paths = Object.entries(partExamples).flatMap(([folder, part]) =>
      examplePages(folder, part).map(({ path }) => path),
    );
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  });

  test("U1 docs/components.md lists every part and component, and nothing else", () => {
    const text = readFileSync(join(ROOT, "docs/components.md"), "utf8");
    const listed = text.split(/^## /m).flatMap((section) => {
      const [, folder] = /^`([^`]+)`/.exec(section) ?? [];
      return [...section.matchAll(/^\| `([a-z-]+)` +\| \S/gm)].map(([, component]) => `${folder}/${component}`);
    });
    const known = Object.entries(partExamples).flatMap(([folder, part]) =>
      Object.keys(part).map((component) => `${folder}/${component}`),
    );
    expect(listed.sort()).toEqual(known.sort());
  });

  test("Z1 the examples have no address outside development", () => {
    expect(routes.map(({ path }) => path ?? "").filter((path) => path.startsWith("examples"))).toEqual([]);
  });
});
