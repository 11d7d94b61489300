import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { bundle, entries, manifest, minifyStyle, paymentFile, root, scriptFiles } from "./build-entries.ts";
import { modalStyle } from "./src/modal-style.ts";

/**
 * Writes the package as it is published to `dist/`, or to the folder named on the command line: ES modules with types for bundlers,
 * farthing-widget.js for a script tag with its lazy part, the stylesheet, the hash that partners pin the script with, and a package.json whose exports map points
 * at these files.
 */
const dist = `${resolve(process.argv[2] ?? `${root}dist`)}/`;
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const { script: _script, ...modules } = entries;
await bundle(modules, { format: "es", minify: false, directory: dist });
const { widget: classic, payment } = await scriptFiles();
writeFileSync(`${dist}farthing-widget.js`, classic);
writeFileSync(`${dist}${paymentFile}`, payment);
writeFileSync(`${dist}farthing-widget.css`, minifyStyle(modalStyle));
const integrity = `sha384-${createHash("sha384").update(classic).digest("base64")}`;
writeFileSync(
  `${dist}integrity.json`,
  JSON.stringify({ version: manifest.version, file: "farthing-widget.js", integrity }, null, 2),
);

writeTypes();
copyFileSync(`${root}README.md`, `${dist}README.md`);
writeManifest();

function writeTypes(): void {
  const types = `${dist}types/`;
  execFileSync(
    process.execPath,
    [`${root}../../node_modules/typescript/bin/tsc`, "-p", `${root}tsconfig.types.json`, "--outDir", types],
    { stdio: "inherit" },
  );
  for (const file of readdirSync(types)) {
    const text = readFileSync(types + file, "utf8").replaceAll(/(?<=from "\.\/[\w-]+)\.ts(?=")/g, ".js");
    writeFileSync(types + file, text);
    renameSync(types + file, dist + file);
  }
  rmSync(types, { recursive: true });
}

function writeManifest(): void {
  const { private: _private, scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, path]) => {
      const module = path.replace(/^\.\/src\/(.*)\.ts$/, "./$1");
      if (name === "./script") return [name, "./farthing-widget.js"];
      return [name, module === path ? path : { types: `${module}.d.ts`, default: `${module}.js` }];
    }),
  );
  const complete = {
    ...published,
    exports: { ...exports, "./farthing-widget.css": "./farthing-widget.css" },
    sideEffects: ["./element.js", "./farthing-widget.js", "./farthing-widget.css"],
  };
  writeFileSync(`${dist}package.json`, JSON.stringify(complete, null, 2));
}
