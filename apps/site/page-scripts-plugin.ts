import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin, Rollup } from "vite";

/** What browsers load, as addresses (/assets/…). Each list of files has what they import, too. */
export interface PageScripts {
  /** Every page with script loads these. */
  entry: string[];
  /** Every page with an island loads these too. */
  hydration: string[];
  /** By the island's name. */
  islands: Record<string, string[]>;
  /** What is loaded when it is needed, by its source: in pages of every kind, or in islands only. */
  lazy: Record<string, { files: string[]; isForIslands: boolean }>;
}

/** The names of the islands in each route's module and its imports, by the route's id. */
export type PageIslands = Record<string, string[]>;

const ISLAND = /([^/]+)\.island\.tsx$/;
const ROUTE_IN_BROWSER = "?__react-router-build-client-route";
const ALL_ROUTES = "virtual:react-router/server-build";

/**
 * Keeps the modules of routes out of the browser's build, because pages are the server's documents
 * (docs/decisions/031-islands.md). It also writes what browsers load instead to two files: build/scripts.json, for the
 * service worker and the byte budgets, and build/islands.json, for the budgets.
 */
export function pageScripts(appFolder: string, buildFolder: string): Plugin {
  const inApp = (id: string) => relative(appFolder, id);
  const write = (name: string, value: PageScripts | PageIslands) => {
    mkdirSync(buildFolder, { recursive: true });
    writeFileSync(join(buildFolder, name), `${JSON.stringify(value, null, 1)}\n`);
  };
  return {
    name: "page-scripts",
    apply: "build",
    enforce: "post",

    transform(_, id) {
      const isRoute = this.environment.name === "client" && id.endsWith(ROUTE_IN_BROWSER);
      return isRoute ? { code: "export {};", map: null } : null;
    },

    generateBundle(_, bundle) {
      if (this.environment.name === "client") return write("scripts.json", scriptsIn(bundle, inApp));
      const islandsOf = (id: string) => islandsIn(id, (of) => this.getModuleInfo(of)?.importedIds ?? []);
      const routes = [...this.getModuleIds()]
        .filter((id) => id.includes(ALL_ROUTES))
        .flatMap((id) => this.getModuleInfo(id)?.importedIds ?? [])
        .filter((id) => id.startsWith(appFolder));
      write("islands.json", Object.fromEntries(routes.map((id) => [inApp(id).replace(/\.tsx?$/, ""), islandsOf(id)])));
    },
  };
}

function scriptsIn(bundle: Rollup.OutputBundle, inApp: (id: string) => string): PageScripts {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const filesOf = (name: string, seen = new Set<string>()): string[] => {
    if (seen.has(`/${name}`)) return [];
    seen.add(`/${name}`);
    for (const imported of named.get(name)?.imports ?? []) filesOf(imported, seen);
    return [...seen];
  };
  const chunkWith = (source: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => inApp(id) === source));
    if (!chunk) throw new Error(`The browser's build has no ${source}.`);
    return chunk.fileName;
  };

  const entry = filesOf(chunkWith("entry.client.tsx"));
  const hydrationChunk = chunkWith("islands/hydrate-island.tsx");
  const islands: PageScripts["islands"] = {};
  for (const { fileName, moduleIds } of chunks)
    for (const id of moduleIds) {
      const name = ISLAND.exec(id)?.[1];
      if (name) islands[name] = filesOf(fileName);
    }

  const inIslands = new Set(Object.values(islands).flat());
  const lazy: PageScripts["lazy"] = {};
  for (const { fileName, facadeModuleId, moduleIds, name } of chunks) {
    const importers = chunks.filter(({ dynamicImports }) => dynamicImports.includes(fileName));
    if (importers.length === 0 || fileName === hydrationChunk || moduleIds.some((id) => ISLAND.test(id))) continue;
    const isForIslands = importers.every(
      (chunk) => inIslands.has(`/${chunk.fileName}`) && !entry.includes(`/${chunk.fileName}`),
    );
    lazy[facadeModuleId === null ? name : inApp(facadeModuleId)] = { files: filesOf(fileName), isForIslands };
  }
  return { entry, hydration: filesOf(hydrationChunk), islands, lazy };
}

/** Returns the names of the islands in a module and in everything that it imports. */
function islandsIn(id: string, importsOf: (id: string) => readonly string[], seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const own = ISLAND.exec(id)?.[1];
  return [...(own ? [own] : []), ...importsOf(id).flatMap((imported) => islandsIn(imported, importsOf, seen))];
}
