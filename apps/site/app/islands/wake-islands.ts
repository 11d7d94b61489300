import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { lazyChunks } from "../lazy-chunks.ts";
import { whenSeen } from "../behaviours/when-seen.ts";
import type { Island } from "./island.tsx";

interface IslandModule {
  default: Island<Record<string, unknown>>;
}

const modules = {
  ...import.meta.glob<IslandModule>(["../**/*.island.tsx", "!../ui/example.island.tsx"]),
  // Only a site served from its sources has pages of examples.
  ...(import.meta.env.DEV && import.meta.glob<IslandModule>("../ui/example.island.tsx")),
};
const loaders = new Map(
  Object.entries(modules).map(([path, load]) => [path.replace(/^.*\/|\.island\.tsx$/g, ""), load]),
);

/** Wakes the islands of the page, each with its own script (docs/decisions/031-islands.md). */
export function wakeIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>("site-island")) {
    if (element.dataset["wakes"] === "seen") whenSeen(element, () => wake(element));
    else wake(element);
  }
}

/** Loads and hydrates one island. Where its script cannot be loaded, the next touch tries again. */
function wake(element: HTMLElement): void {
  const name = element.getAttribute("name") ?? "";
  const load = loaders.get(name);
  if (!load) throw new Error(`There is no island ${name}: its module must be named ${name}.island.tsx.`);
  Promise.all([
    loadModule(lazyChunks.hydration, () => import("./hydrate-island.tsx")),
    loadModule(Number(element.dataset["chunk"]), load),
  ]).then(
    ([{ hydrateIsland }, { default: island }]) => hydrateIsland(element, island.View),
    () => retryAtTouch(element),
  );
}

function retryAtTouch(element: HTMLElement): void {
  const touched = new AbortController();
  const again = () => {
    touched.abort();
    wake(element);
  };
  for (const event of ["pointerdown", "focusin"]) element.addEventListener(event, again, { signal: touched.signal });
}
