import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  bundle,
  entries,
  isScriptEntry,
  manifest,
  minifyStyle,
  paymentDefines,
  paymentFile,
  root,
  scriptFiles,
  scriptNames,
} from "./build-entries.ts";
import { originOfCheckout, repositoryAt } from "./repository.ts";
import { modalStyle } from "./src/modal-style.ts";

/**
 * Writes the package as it is published to `dist/`, or to the folder named on the command line: ES modules and CommonJS modules with types for
 * bundlers, farthing-widget.js and farthing-gift-cards.js for script tags with their lazy part, the stylesheet, the hashes that partners pin the scripts with, and a package.json
 * whose exports map points at these files.
 */
const dist = `${resolve(process.argv[2] ?? `${root}dist`)}/`;
/** CommonJS for tools that can't load ES modules, such as Jest and Node before 22. Its own package.json makes its files CommonJS. */
const commonJs = `${dist}cjs/`;
/** How one of our modules names another. */
const LOCAL_MODULE = /"\.\/([\w-]+)\.ts"/g;

rmSync(dist, { recursive: true, force: true });
mkdirSync(commonJs, { recursive: true });

const modules = Object.fromEntries(Object.entries(entries).filter(([name]) => !isScriptEntry(name)));
const scripts = await scriptFiles();
const define = paymentDefines(scripts.payment);
await bundle(modules, { format: "es", minify: false, directory: dist, define });
await bundle(modules, { format: "cjs", minify: false, directory: commonJs, define });
for (const folder of [dist, commonJs]) {
  writeFileSync(folder + scriptNames.script, scripts.script);
  writeFileSync(folder + scriptNames["gift-cards-script"], scripts["gift-cards-script"]);
  writeFileSync(folder + paymentFile, scripts.payment);
}
writeJson(`${commonJs}package.json`, { type: "commonjs" });
writeFileSync(`${dist}farthing-widget.css`, minifyStyle(modalStyle));
writeJson(`${dist}integrity.json`, {
  version: manifest.version,
  file: scriptNames.script,
  integrity: integrityOf(scripts.script),
  giftCards: { file: scriptNames["gift-cards-script"], integrity: integrityOf(scripts["gift-cards-script"]) },
});

writeTypes();
for (const file of ["README.md", "LICENSE", "CHANGELOG.md", "custom-elements.json"])
  copyFileSync(root + file, dist + file);
writeManifest();

function integrityOf(code: string): string {
  return `sha384-${createHash("sha384").update(code).digest("base64")}`;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value, null, 2));
}

/** Writes the types that the entries reach, for both kinds of modules: TypeScript takes those beside a module. */
function writeTypes(): void {
  const types = `${dist}types/`;
  execFileSync(
    process.execPath,
    [`${root}../../node_modules/typescript/bin/tsc`, "-p", `${root}tsconfig.types.json`, "--outDir", types],
    { stdio: "inherit" },
  );
  const reached = new Set(Object.keys(entries));
  for (const name of reached) {
    const text = readFileSync(`${types}${name}.d.ts`, "utf8");
    for (const [, imported] of text.matchAll(LOCAL_MODULE)) reached.add(imported!);
    for (const folder of [dist, commonJs])
      writeFileSync(`${folder}${name}.d.ts`, text.replaceAll(LOCAL_MODULE, '"./$1.js"'));
  }
  rmSync(types, { recursive: true });
}

function writeManifest(): void {
  const { private: _private, scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, path]) => {
      const source = /^\.\/src\/(.*)\.ts$/.exec(path)?.[1];
      return [name, source ? conditions(source, isScriptEntry(source) ? scriptNames[source] : `${source}.js`) : path];
    }),
  );
  const repository = repositoryAt(originOfCheckout());
  const complete = {
    ...published,
    ...(repository && { repository }),
    // For tools that don't read the exports map. They find the other entries by their file names.
    main: "./cjs/mount-widget.js",
    module: "./mount-widget.js",
    types: "./cjs/mount-widget.d.ts",
    exports: { ...exports, "./farthing-widget.css": "./farthing-widget.css" },
    sideEffects: sideEffects(),
    files: publishedFiles(),
  };
  writeJson(`${dist}package.json`, complete);
}

/** Returns what an entry resolves to: types first, as TypeScript requires. */
function conditions(source: string, file: string) {
  return {
    import: { types: `./${source}.d.ts`, default: `./${file}` },
    require: { types: `./cjs/${source}.d.ts`, default: `./cjs/${file}` },
  };
}

/** The entries that do something when they are imported. The modules that they share do nothing. */
function sideEffects(): string[] {
  const acting = ["element.js", "element-react.js", "element-vue.js", "element-svelte.js", "gift-cards-element.js"];
  acting.push(...Object.values(scriptNames));
  return [...acting.flatMap((file) => [`./${file}`, `./cjs/${file}`]), "./farthing-widget.css"];
}

/** Returns every file of the package but those that npm adds by itself. */
function publishedFiles(): string[] {
  const added = new Set(["package.json", "README.md", "LICENSE"]);
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
    .filter((file) => !added.has(file))
    .toSorted();
}
