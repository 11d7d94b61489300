import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const reactDomRequire = createRequire(require.resolve("react-dom"));

const parts = {
  react: join(dirname(require.resolve("react")), "cjs/react.production.js"),
  scheduler: join(dirname(reactDomRequire.resolve("scheduler")), "cjs/scheduler.production.js"),
  "react-dom": join(dirname(require.resolve("react-dom")), "cjs/react-dom.production.js"),
  "react-dom/client": join(dirname(require.resolve("react-dom")), "cjs/react-dom-client.production.js"),
};

/** The exports of React that the shop's page and the widget's React component import. */
const exported = {
  react: ["createElement", "StrictMode", "useEffect", "useRef", "useState"],
  "react-dom/client": ["createRoot"],
};

let bundle: string | undefined;

/**
 * Returns React as one module for browsers, made of its production files, each run on first import. A partner's bundler does the same; this shop has none.
 */
export function reactBundle(): string {
  bundle ??= [
    "const parts = {",
    ...Object.entries(parts).map(
      ([name, file]) => `${JSON.stringify(name)}: (module, exports, require) => {\n${readFileSync(file, "utf8")}\n},`,
    ),
    "};",
    "const made = {};",
    "function require(name) {",
    "  if (!made[name]) parts[name]((made[name] = { exports: {} }), made[name].exports, require);",
    "  return made[name].exports;",
    "}",
    ...Object.entries(exported).map(
      ([name, names]) => `export const { ${names.join(", ")} } = require(${JSON.stringify(name)});`,
    ),
  ].join("\n");
  return bundle;
}
