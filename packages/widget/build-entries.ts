import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Plugin as EsbuildPlugin } from "esbuild";
import { type Plugin, rolldown } from "rolldown";

/** The package's folder. */
export const root = fileURLToPath(new URL(".", import.meta.url));
export const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  version: string;
  exports: Record<string, string>;
} & Record<string, unknown>;

/** Paths of the entry modules by published name, from the workspace's exports map. */
export const entries: Record<string, string> = Object.fromEntries(
  Object.values(manifest.exports)
    .filter((path) => path.startsWith("./src/"))
    .map((path) => [path.slice("./src/".length, -".ts".length), root + path.slice(2)]),
);

/** Removes white space and comments from the stylesheet. The minifier does not: to it, the stylesheet is a string. */
export function minifyStyle(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(/: (?=[^{}]*[;}])/g, ":")
    .replaceAll(" !", "!")
    .replaceAll(";}", "}")
    .trim();
}

const minifiedStyle: Plugin = {
  name: "minified-style",
  transform: {
    filter: { id: /modal-style\.ts$/ },
    handler: (code) => code.replace(/(?<== `)[^`]*/, minifyStyle),
  },
};

/** The file that the script tag's widget loads before the first payment, from beside itself. */
export const paymentFile = "farthing-widget-payment.js";

/** The files for script tags by the name of their entry. */
export const scriptNames = { script: "farthing-widget.js", "gift-cards-script": "farthing-gift-cards.js" } as const;
export type ScriptEntry = keyof typeof scriptNames;
export const isScriptEntry = (name: string): name is ScriptEntry => Object.hasOwn(scriptNames, name);

/** A classic script on another origin cannot import relative addresses: its lazy part is a script too. */
const lazyPartByTag: Plugin = {
  name: "lazy-part-by-tag",
  resolveId: {
    filter: { id: /\/payment-part\.ts$/ },
    handler: () => `${root}src/payment-part-by-tag.ts`,
  },
};

/**
 * Returns the values built into the widget. Its environments are those of the JSON file in FARTHING_WIDGET_ENVIRONMENTS, or the source's own.
 * Without that file the script keeps the name, for the server that serves it (apps/server/widget/with-environments.ts).
 */
function defines(format: "es" | "cjs" | "iife"): Record<string, string> {
  const file = process.env.FARTHING_WIDGET_ENVIRONMENTS;
  return {
    FARTHING_VERSION: JSON.stringify(manifest.version),
    ...(file
      ? { FARTHING_ENVIRONMENTS: JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) }
      : format !== "iife" && { FARTHING_ENVIRONMENTS: "undefined" }),
  };
}

/** Returns the script of the lazy part. */
async function paymentScript(): Promise<string> {
  const [{ code }] = await bundle({ payment: `${root}src/payment-script.ts` }, { format: "iife", minify: true });
  return code;
}

/** Returns the values by which every entry but the lazy part itself knows that part's script. */
export function paymentDefines(payment: string): Record<string, string> {
  return {
    FARTHING_PAYMENT_FILE: JSON.stringify(paymentFile),
    FARTHING_PAYMENT_INTEGRITY: JSON.stringify(`sha384-${createHash("sha384").update(payment).digest("base64")}`),
  };
}

/** Returns the script tags' files: the widget and the gift-card portal, which hold the hash of their lazy part, and that part. */
export async function scriptFiles(): Promise<Record<ScriptEntry | "payment", string>> {
  const options = { format: "iife", minify: true } as const;
  const payment = await paymentScript();
  const define = paymentDefines(payment);
  const codeOf = async (name: ScriptEntry) =>
    (await bundle({ [name]: entries[name]! }, { ...options, define }))[0].code;
  return { script: await codeOf("script"), "gift-cards-script": await codeOf("gift-cards-script"), payment };
}

/** Bundles entries as ES or CommonJS modules that share chunks, or one entry as a classic script. React is external. */
export async function bundle(
  input: Record<string, string>,
  options: { format: "es" | "cjs" | "iife"; minify: boolean; directory?: string; define?: Record<string, string> },
) {
  const build = await rolldown({
    input,
    cwd: root, // module names in comments are relative to it: the same bytes wherever the build is started
    external: ["react", "react-dom"],
    platform: "browser",
    plugins: [minifiedStyle, ...(options.format === "iife" ? [lazyPartByTag] : [])],
    treeshake: true,
    transform: { define: { ...defines(options.format), ...options.define }, target: "es2022" },
    logLevel: "warn",
  });
  const output = {
    format: options.format,
    minify: options.minify,
    comments: !options.minify,
    // The component mounts in an effect, so frameworks with server components must treat it as a client component.
    banner: (chunk: { name: string }) => (/^(gift-cards-)?react$/.test(chunk.name) ? '"use client";' : ""),
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
    ...(options.directory && { dir: options.directory }),
  } as const;
  const result = options.directory ? await build.write(output) : await build.generate(output);
  await build.close();
  return result.output;
}

/** The minified files of one entry: what a page loads at first, and the part that a first payment needs. */
async function minifiedEntry(name: string): Promise<{ first: string; lazy: string }> {
  if (isScriptEntry(name)) {
    const files = await scriptFiles();
    return { first: files[name], lazy: files.payment };
  }
  const define = paymentDefines(await paymentScript());
  const [entry, ...chunks] = await bundle({ [name]: entries[name]! }, { format: "es", minify: true, define });
  const files = new Map([entry, ...chunks].map((chunk) => [chunk.fileName, chunk as typeof entry]));
  const atFirst = new Set<string>();
  const load = (file: string) => {
    const chunk = files.get(file);
    if (!chunk || atFirst.has(file)) return;
    atFirst.add(file);
    chunk.imports.forEach(load);
  };
  load(entry.fileName);
  const code = (wanted: boolean) =>
    [...files].map(([file, chunk]) => (atFirst.has(file) === wanted ? chunk.code : "")).join("");
  return { first: code(true), lazy: code(false) };
}

const gzipBytes = (code: string) => (code ? gzipSync(code, { level: 9 }).length : 0);

/** Returns the bytes of one entry as a page loads it: with everything it imports at first but React, minified, gzip. */
export async function entryBytes(name: string): Promise<number> {
  return gzipBytes((await minifiedEntry(name)).first);
}

/** Returns the bytes of the part of an entry that a page loads once the frame is ready, before the first payment. */
export async function lazyBytes(name: string): Promise<number> {
  return gzipBytes((await minifiedEntry(name)).lazy);
}

/** Returns the bytes of one entry as `entryBytes` does, but as esbuild bundles it for ES2020, which many partners still do. */
export async function es2020Bytes(name: string): Promise<number> {
  const { build: esbuild } = await import("esbuild"); // only here: what is built is built without it
  const lazyPart: EsbuildPlugin = {
    name: "lazy-part-by-tag",
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/payment-part\.ts$/ }, () => ({ path: `${root}src/payment-part-by-tag.ts` })),
  };
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [entries[name]!],
    outdir: "out",
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    target: "es2020",
    external: ["react"],
    define: { FARTHING_VERSION: JSON.stringify(manifest.version), ...paymentDefines(await paymentScript()) },
    ...(isScriptEntry(name) ? { format: "iife", plugins: [lazyPart] } : { format: "esm", splitting: true }),
  });
  const code = new Map(outputFiles.map(({ path, text }) => [path.split("/").at(-1), text]));
  const atFirst = new Set([`out/${name}.js`]);
  for (const file of atFirst) {
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind === "import-statement") atFirst.add(path);
    }
  }
  return gzipBytes([...atFirst].map((file) => code.get(file.split("/").at(-1)) ?? "").join(""));
}

/**
 * The byte budgets (gzip, without React): `limit` for what a page loads at first, with our own bundler and with esbuild for ES2020, and `lazy`
 * for the part of a first payment, with the stylesheet and the dialog's words in nine languages. The tests fail above them. For comparison, measured the same way: Shopify's checkout kit
 * has 3,938 bytes, react-stripe-js 4,373, penpal 3,206, zoid 27,103.
 */
export const budgets = [
  { entry: "react", target: 5000, limit: 5000, lazy: 5750 },
  { entry: "script", target: 5500, limit: 5500, lazy: 5750 },
  { entry: "element", target: 5500, limit: 5500, lazy: 5750 },
  { entry: "gift-cards-react", target: 5000, limit: 5000, lazy: 5750 },
  { entry: "gift-cards-script", target: 6000, limit: 6000, lazy: 5750 },
  { entry: "gift-cards-element", target: 5800, limit: 5800, lazy: 5750 },
  { entry: "frame", target: 1200, limit: 1200, lazy: 0 },
];
