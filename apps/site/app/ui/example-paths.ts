import type { Example, PartExamples } from "@farthing/ui/examples.ts";

/** A page of examples: those of a part, or one that takes a whole page. */
export interface ExamplePage {
  path: string;
  title: string;
  shown: { component: string; examples: readonly Example[] }[];
}

/** Returns the pages of a part: one with all examples that can share a page, and one for each that cannot. */
export function examplePages(folder: string, part: PartExamples): ExamplePage[] {
  const name = partName(folder);
  const path = `/examples/${name}`;
  const components = Object.entries(part);
  const together = components
    .map(([component, examples]) => ({ component, examples: examples.filter(({ isWholePage }) => !isWholePage) }))
    .filter(({ examples }) => examples.length > 0);
  const alone = components.flatMap(([component, examples]) =>
    examples
      .filter(({ isWholePage }) => isWholePage)
      .map((example) => ({
        path: `${path}/${component}-${slugOf(example.name)}`,
        title: `${component}: ${example.name}`,
        shown: [{ component, examples: [example] }],
      })),
  );
  return [...(together.length > 0 ? [{ path, title: name, shown: together }] : []), ...alone];
}

/**
 * Returns a part's name in addresses. Both the site and packages/ui have a folder `forms`: the latter's is `ui-forms`.
 */
export function partName(folder: string): string {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return folder.startsWith("packages/ui/") ? `ui-${name}` : name;
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
