import { createContext, use } from "react";

/** What a page needs to name its script. Only the renderer on the server knows it. */
export interface ScriptFacts {
  /** Marks our own inline scripts. The server replaces the mark with a hash in the content security policy. */
  nonce: string;
  /** The module that starts the script of every page. */
  entry: string;
  /** The module that hot reload needs before any other, in development. */
  hotReload?: string | undefined;
}

export const ScriptContext = createContext<ScriptFacts>({ nonce: "", entry: "" });

/**
 * Loads the script after the first paint (docs/decisions/015-first-paint.md), so that browsers fetch the styles and
 * fonts that the page is drawn with before it. Pages work without script (P8). The text is the same on every page.
 */
export function PageScript() {
  const { nonce, entry, hotReload } = use(ScriptContext);
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: loaderOf([hotReload, entry]) }} />;
}

/** Returns the inline script of modules' addresses, each loaded after the one before. */
export function loaderOf(modules: readonly (string | undefined)[]): string {
  const [first = "", ...others] = modules.filter((address) => address !== undefined);
  return afterPaint(
    `import(${JSON.stringify(first)})${others.map((next) => `.then(()=>import(${JSON.stringify(next)}))`).join("")}`,
  );
}

/**
 * Returns a script that does `work` once, after the first paint. It does not wait for the paint in a background tab, which never paints, nor for longer than
 * three seconds anywhere.
 */
export function afterPaint(work: string): string {
  return `(()=>{let begun=false;const act=()=>{if(begun)return;begun=true;${work}};\
if(document.hidden||!window.PerformanceObserver)act();else{\
new PerformanceObserver(act).observe({type:"paint",buffered:true});setTimeout(act,3000)}})()`;
}
