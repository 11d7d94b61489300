import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import type { WidgetAddresses } from "./partner-pages.ts";

const folder = join(import.meta.dirname, "guides");

/** What starts each guide's component in the page, as a partner's own page would. */
const STARTS = {
  "payment.tsx": reactStart("./payment.tsx"),
  "payment-element.tsx": reactStart("./payment-element.tsx"),
  "payment.vue": `import { createApp } from "vue";
    import Payment from "./payment.vue";
    const root = document.querySelector("#root");
    createApp(Payment, { token: root.dataset.token }).mount(root);`,
  "payment.svelte": `import { mount } from "svelte";
    import Payment from "./payment.svelte";
    const root = document.querySelector("#root");
    mount(Payment, { target: root, props: { token: root.dataset.token } });`,
};
export type GuideComponent = keyof typeof STARTS;

function reactStart(component: string): string {
  return `import { createElement, StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    import { Payment } from "${component}";
    const root = document.querySelector("#root");
    createRoot(root).render(createElement(StrictMode, null, createElement(Payment, { token: root.dataset.token })));`;
}

/** Returns a guide's file with this shop's addresses in place of the documented ones. */
export function readGuide(name: string, { serviceUrl, publishableKey, cardScriptUrl }: WidgetAddresses): string {
  return readFileSync(join(folder, name), "utf8")
    .replaceAll("https://club.example", serviceUrl)
    .replaceAll('"pk_live_…"', `"${publishableKey}", cardScriptUrl: "${cardScriptUrl}"`);
}

const bundles = new Map<GuideComponent, Promise<string>>();

/**
 * Returns a guide's component as one script, made by a bundler with the framework's compiler, as in a partner's project. The compilers are loaded on
 * the first request: the sandbox starts without them.
 */
export function guideBundle(component: GuideComponent, addresses: WidgetAddresses): Promise<string> {
  let bundling = bundles.get(component);
  if (!bundling) bundles.set(component, (bundling = bundle(component, addresses)));
  return bundling;
}

async function bundle(component: GuideComponent, addresses: WidgetAddresses): Promise<string> {
  const { rolldown } = await import("rolldown");
  const start = join(folder, "start.js"); // exists only here
  const guide: Plugin = {
    name: "guide",
    resolveId: (id) => (id === start ? id : null),
    async load(id) {
      if (id === start) return STARTS[component];
      if (id !== join(folder, component)) return null;
      return { code: await compile(component, readGuide(component, addresses)), moduleType: componentType(component) };
    },
  };
  const build = await rolldown({
    input: start,
    plugins: [guide],
    platform: "browser",
    transform: { define: { [`process.${"env"}.NODE_ENV`]: '"production"' } },
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  return output[0].code;
}

const componentType = (component: GuideComponent) => (component.endsWith(".tsx") ? "tsx" : "js");

async function compile(component: GuideComponent, source: string): Promise<string> {
  if (component === "payment.vue") {
    const { compileScript, parse } = await import("vue/compiler-sfc");
    const { descriptor } = parse(source, { filename: component });
    const isCustomElement = (tag: string) => tag === "farthing-widget";
    const options = { id: component, inlineTemplate: true, templateOptions: { compilerOptions: { isCustomElement } } };
    return compileScript(descriptor, options).content;
  }
  if (component === "payment.svelte") {
    const { compile: compileSvelte } = await import("svelte/compiler");
    return compileSvelte(source, { filename: component, generate: "client" }).js.code;
  }
  return source;
}
