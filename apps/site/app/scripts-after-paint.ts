const preload = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const entry = /<script([^>]*?) type="module" async=""([^>]*)>([\s\S]*?)<\/script>/;
const imports =
  /^[\s;]*((?:import \* as route\d+ from "[^"]+";\s*)+)window\.__reactRouterManifest = (\{[\s\S]*\});\s*window\.__reactRouterRouteModules = (\{[^}]*\});\s*import\("([^"]+)"\);\s*$/;
const routeImport = /import \* as (route\d+) from "([^"]+)";/g;

/**
 * Returns a rendered document whose scripts load after the first paint (docs/decisions/015-first-paint.md). The router
 * names its modules at the top of the page, so browsers would fetch them before the styles and fonts that the page is
 * drawn with. Pages work without script (P8), so the modules come after the paint, all at once: none waits until
 * another has named it. A document of an unexpected shape is returned unchanged.
 */
export function scriptsAfterPaint(html: string): string {
  const end = html.indexOf("</head>");
  const script = entry.exec(html);
  const parts = script && imports.exec(script[3] ?? "");
  if (end === -1 || !script || !parts) return html;
  const [whole, before = "", after = ""] = script;
  const [, routes = "", manifest = "", modules = "", client = ""] = parts;
  const head = html.slice(0, end);
  const hints = [...head.matchAll(preload)].map(([, address]) => address);
  const named = [...routes.matchAll(routeImport)].map(([, name = "", address = ""]) => ({ name, address }));
  const loader = loaderOf({ hints, modules, client, named, manifest });
  const body = html.slice(end).replace(whole, () => `<script${before}${after}>${loader}</script>`);
  return head.replaceAll(preload, "") + body;
}

/**
 * Returns the inline script. It does not wait for the paint in a background tab, which never paints, nor for longer
 * than three seconds anywhere.
 */
function loaderOf(page: {
  hints: (string | undefined)[];
  named: { name: string; address: string }[];
  /** Object literals as the router wrote them: the manifest of the page's routes, and its route modules by id. */
  manifest: string;
  modules: string;
  client: string;
}): string {
  const { hints, manifest, named, modules, client } = page;
  const first = JSON.stringify(named.map(({ address }) => address));
  return `(()=>{let begun=false;const load=()=>{if(begun)return;begun=true;\
for(const href of ${JSON.stringify(hints)})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));\
Promise.all(${first}.map(at=>import(at))).then(([${named.map(({ name }) => name).join(",")}])=>{\
window.__reactRouterManifest = ${manifest};\
window.__reactRouterRouteModules=${modules};return import(${JSON.stringify(client)})})};\
if(document.hidden||!window.PerformanceObserver)load();else{\
new PerformanceObserver(load).observe({type:"paint",buffered:true});setTimeout(load,3000)}})()`;
}
