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

/** Module ids of the entries by the name they are published under, from the workspace's own exports map. */
export const entries: Record<string, string> = Object.fromEntries(
  Object.values(manifest.exports)
    .filter((path) => path.startsWith("./src/"))
    .map((path) => [path.slice("./src/".length, -".ts".length), root + path.slice(2)]),
);

/** White space and comments out of the stylesheet, which the minifier leaves alone because it is a string. */
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

const styleInMiniature: Plugin = {
  name: "style-in-miniature",
  transform: {
    filter: { id: /modal-style\.ts$/ },
    handler: (code) => code.replace(/(?<== `)[^`]*/, minifyStyle),
  },
};

/** The environments that the built widget knows: the JSON file named by FARTHING_WIDGET_ENVIRONMENTS, or the source's own. */
function defines(): Record<string, string> {
  const file = process.env.FARTHING_WIDGET_ENVIRONMENTS;
  return {
    FARTHING_VERSION: JSON.stringify(manifest.version),
    FARTHING_ENVIRONMENTS: file ? JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) : "undefined",
  };
}

/** Bundles entries as ES modules (sharing chunks) or one of them as a classic script. React stays outside. */
export async function bundle(
  input: Record<string, string>,
  options: { format: "es" | "iife"; minify: boolean; directory?: string },
) {
  const build = await rolldown({
    input,
    external: ["react", "react-dom"],
    platform: "browser",
    plugins: [styleInMiniature],
    treeshake: true,
    transform: { define: defines(), target: "es2022" },
    logLevel: "warn",
  });
  const output = {
    format: options.format,
    minify: options.minify,
    comments: !options.minify,
    // An effect mounts the component: frameworks with server components need to know.
    banner: (chunk: { name: string }) => (chunk.name === "react" ? '"use client";' : ""),
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
    ...(options.directory && { dir: options.directory }),
  } as const;
  const result = options.directory ? await build.write(output) : await build.generate(output);
  await build.close();
  return result.output;
}

/** Bytes of one entry as a page loads it: everything it imports, minified, gzip, React outside. */
export async function entryBytes(name: string): Promise<number> {
  const output = await bundle({ [name]: entries[name]! }, { format: name === "script" ? "iife" : "es", minify: true });
  return gzipSync(output[0].code, { level: 9 }).length;
}

/**
 * The byte budgets (gzip, stylesheet included, React outside): `aim` is what we hold ourselves to, `never` fails the tests. For scale:
 * Shopify's checkout kit is 3,938, react-stripe-js 4,373, penpal 3,206, zoid 27,103, measured the same way.
 */
export const budgets = [
  { entry: "react", aim: 5000, never: 6000 },
  { entry: "script", aim: 5500, never: 6500 },
  { entry: "element", aim: 5500, never: 6500 },
  { entry: "frame", aim: 1200, never: 1200 },
];
