import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
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

/** Bundles entries as ES or CommonJS modules that share chunks, or one entry as a classic script. React is external. */
export async function bundle(
  input: Record<string, string>,
  options: { format: "es" | "cjs" | "iife"; minify: boolean; directory?: string },
) {
  const build = await rolldown({
    input,
    cwd: root, // module names in comments are relative to it: the same bytes wherever the build is started
    external: ["react", "react-dom"],
    platform: "browser",
    plugins: [minifiedStyle],
    treeshake: true,
    transform: { define: defines(options.format), target: "es2022" },
    logLevel: "warn",
  });
  const output = {
    format: options.format,
    minify: options.minify,
    comments: !options.minify,
    // The component mounts in an effect, so frameworks with server components must treat it as a client component.
    banner: (chunk: { name: string }) => (chunk.name === "react" ? '"use client";' : ""),
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
    ...(options.directory && { dir: options.directory }),
  } as const;
  const result = options.directory ? await build.write(output) : await build.generate(output);
  await build.close();
  return result.output;
}

/** Returns the bytes of one entry as a page loads it: with everything it imports but React, minified, gzip. */
export async function entryBytes(name: string): Promise<number> {
  const output = await bundle({ [name]: entries[name]! }, { format: name === "script" ? "iife" : "es", minify: true });
  return gzipSync(output[0].code, { level: 9 }).length;
}

/**
 * The byte budgets (gzip, with the stylesheet, without React). The tests fail above `limit`. For comparison, measured the same way: Shopify's
 * checkout kit has 3,938 bytes, react-stripe-js 4,373, penpal 3,206, zoid 27,103.
 */
export const budgets = [
  { entry: "react", target: 5000, limit: 6000 },
  { entry: "script", target: 5500, limit: 6500 },
  { entry: "element", target: 5500, limit: 6500 },
  { entry: "frame", target: 1200, limit: 1200 },
];
