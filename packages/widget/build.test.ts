import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createContext, Script } from "node:vm";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  budgets,
  entryBytes,
  es2020Bytes,
  lazyBytes,
  root,
  scriptFiles,
  type ScriptEntry,
  scriptNames,
} from "./build-entries.ts";
import { FarthingGiftCardsElement } from "./src/farthing-gift-cards-element.ts";
import { FarthingWidgetElement } from "./src/farthing-widget-element.ts";

test.each(budgets)(
  "W1 the $entry entry has at most $limit bytes at first, and $lazy later",
  async ({ entry, limit, lazy }) => {
    expect(await entryBytes(entry)).toBeLessThanOrEqual(limit);
    expect(await es2020Bytes(entry)).toBeLessThanOrEqual(limit);
    expect(await lazyBytes(entry)).toBeLessThanOrEqual(lazy);
  },
);

test.each(Object.keys(scriptNames) as ScriptEntry[])(
  "W1 S1 G1 %s holds the hash of the part that it loads later",
  async (name) => {
    const { [name]: script, payment } = await scriptFiles();
    expect(script).toContain(`sha384-${createHash("sha384").update(payment).digest("base64")}`);
  },
);

test.each(Object.keys(scriptNames) as ScriptEntry[])(
  "P4 a server can fill its environments into the text of %s",
  async (name) => {
    const { [name]: script } = await scriptFiles();
    const filled = script.replaceAll("FARTHING_ENVIRONMENTS", '{"production":{"baseUrl":"https://club.example"}}');
    expect(() => new Script(filled)).not.toThrow();
    expect(filled).toContain("https://club.example");
  },
);

describe("W1 the published package, as a partner installs it", () => {
  const project = mkdtempSync(`${tmpdir()}/widget-partner-`);
  const installed = `${project}/node_modules/@farthing/widget`;
  const read = (file: string) => readFileSync(`${installed}/${file}`, "utf8");
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" });

  const peers = `${root}../../node_modules/`;

  /** Installs a package that a partner's project has, from the one that the checkout has. */
  function installPeer(name: string, from = name): void {
    mkdirSync(`${project}/node_modules/@types`, { recursive: true });
    rmSync(`${project}/node_modules/${name}`, { force: true });
    symlinkSync(peers + from, `${project}/node_modules/${name}`);
  }

  /** Returns what the compiler says about a file of the project. */
  function compile(file: string, text: string, ...options: string[]): string {
    writeFileSync(`${project}/${file}`, text);
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--pretty", "false"];
    const lib = ["--lib", "es2022,dom,dom.iterable"];
    try {
      return node(`${peers}typescript/bin/tsc`, ...strict, ...lib, ...options, file);
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  beforeAll(() => {
    const environments = `${project}/environments.json`;
    writeFileSync(environments, '{"production":{"baseUrl":"https://club.example","publishableKey":"pk_live_1"}}');
    execFileSync(process.execPath, [`${root}build.ts`, installed], {
      env: { ...process.env, FARTHING_WIDGET_ENVIRONMENTS: environments },
    });
    installPeer("react");
    installPeer("@types/react");
    writeFileSync(`${project}/package.json`, '{"type":"module"}');
  });
  afterAll(() => rmSync(project, { recursive: true }));

  test("every entry of its exports map can be imported without a browser, with the build's own environments", () => {
    writeFileSync(
      `${project}/use.js`,
      `import { FarthingWidget, defineEnvironments } from "@farthing/widget/react";
       import { FarthingWidgetElement } from "@farthing/widget/element";
       import { connectHost } from "@farthing/widget/frame";
       import { findEnvironment } from "@farthing/widget/environments";
       import { mountWidget } from "@farthing/widget";
       import { mountGiftCards, PORTAL_PATH } from "@farthing/widget/gift-cards";
       import { FarthingGiftCards } from "@farthing/widget/gift-cards-react";
       import { FarthingGiftCardsElement } from "@farthing/widget/gift-cards-element";
       console.log([FarthingWidget, defineEnvironments, FarthingWidgetElement, connectHost, mountWidget].map((one) => typeof one).join());
       console.log([mountGiftCards, FarthingGiftCards, FarthingGiftCardsElement, PORTAL_PATH].map((one) => typeof one).join());
       console.log(findEnvironment("production").baseUrl);`,
    );
    expect(node("use.js")).toBe(
      "function,function,function,function,function\nfunction,function,function,string\nhttps://club.example\n",
    );
  });

  test("the scripts can be imported and required without a browser, where they do nothing", () => {
    writeFileSync(
      `${project}/scripts.js`,
      `import { createRequire } from "node:module";
       const names = ["@farthing/widget/script", "@farthing/widget/gift-cards-script"];
       for (const name of names) {
         await import(name);
         createRequire(import.meta.url)(name);
       }
       console.log(typeof Farthing, typeof FarthingGiftCards);`,
    );
    expect(node("scripts.js")).toBe("undefined undefined\n");
  });

  test("with TypeScript the scripts' calls compile as docs/widget/plain-script.md writes them", () => {
    const guide = readFileSync(`${root}../../docs/widget/plain-script.md`, "utf8");
    const [, call = ""] = /```js run-by=\S+\n([^]*?)```/.exec(guide) ?? [];
    expect(call).toContain("Farthing.mount(");
    const typed = call.replace('document.querySelector("output")', 'document.querySelector("output")!');
    const said = compile(
      "script.ts",
      `import type {} from "@farthing/widget/script";
       import type {} from "@farthing/widget/gift-cards-script";
       ${typed}
       const widget = window.Farthing.mount("#shop", { token, environment: "production", className: "shop", style: { height: "1px" } });
       widget.update({ token, environment: "production", className: "shop is-wide", style: { height: "2px" }, frameTitle: "Pay", path: null });
       FarthingGiftCards.mount("#cards", { token, environment: "production" }).destroy();
       // @ts-expect-error a token is required
       window.Farthing.mount("#shop", { environment: "production" });`,
    );
    expect(said).toBe("");
  });

  test("the file that an operator makes of it installs as docs/widget/versions.md says", () => {
    const shop = mkdtempSync(`${tmpdir()}/widget-shop-`);
    try {
      const blocks = [
        ...readFileSync(`${root}../../docs/widget/versions.md`, "utf8").matchAll(/```sh run-by\S+\n([^]*?)```/g),
      ];
      const [pack = "", install = ""] = blocks.map(([, text]) => text ?? "");
      const { version } = JSON.parse(read("package.json")) as { version: string };
      const run = (command: string) =>
        execFileSync("sh", ["-ec", command], {
          cwd: shop,
          encoding: "utf8",
          env: { ...process.env, npm_config_offline: "true" },
        });
      writeFileSync(`${shop}/package.json`, "{}");
      run(pack.replace("./packages/widget/dist", installed));
      run(install.replace("VERSION", version));
      const uses = 'import("@farthing/widget/server").then(({ verifyWebhook }) => console.log(typeof verifyWebhook))';
      expect(run(`node -e '${uses}'`)).toBe("function\n");
    } finally {
      rmSync(shop, { recursive: true });
    }
  });

  test("its types are complete, and refuse values that are not specified", () => {
    const said = compile(
      "use.ts",
      `import { FarthingWidget, type WidgetEvent, type WidgetProperties } from "@farthing/widget/react";
       import { createElement } from "react";
       import "@farthing/widget/element";
       import "@farthing/widget/gift-cards-element";
       import { FarthingGiftCards } from "@farthing/widget/gift-cards-react";
       import { connectHost } from "@farthing/widget/frame";
       const redirect = { paymentSuccess: { templateUrl: "https://a.example/{id}", idPlaceholder: "{id}" } };
       const onEvent = (event: WidgetEvent) => (event.type === "RESIZE" ? event.payload.height : 0);
       createElement(FarthingWidget, { token: "t", environment: "dev", redirect, onEvent, style: { height: 1 }, className: "c", path: "/" });
       document.createElement("farthing-widget").redirect = redirect;
       connectHost({ hostOrigins: ["https://a.example"] }).openUrl("https://b.example", true);
       // @ts-expect-error there is no such environment
       createElement(FarthingWidget, { token: "t", environment: "live" });
       // @ts-expect-error a token is required
       createElement(FarthingWidget, { environment: "dev" });
       // G1: the portal takes the same properties, but its height is its own.
       createElement(FarthingGiftCards, { token: "t", environment: "dev", redirect, onEvent, style: { margin: 1 }, className: "c", path: "/portal/basket", id: "cards" });
       document.createElement("farthing-gift-cards").redirect = redirect;
       // @ts-expect-error the height always follows the content
       createElement(FarthingGiftCards, { token: "t", environment: "dev", autoHeight: false });
       const properties: WidgetProperties = { token: "t", environment: "dev" };
       createElement(FarthingWidget, { ...properties, id: "pay", role: "group", "aria-label": "Payment", "data-test": 1 });`,
      "--skipLibCheck",
      "false",
    );
    expect(said).toBe("");
  });

  test("the types of every entry name the properties and the events", () => {
    const portal = ["", "-react", "-element", "-script"].map((entry) => `/gift-cards${entry}`);
    const entries = ["", "/react", "/element", "/script", ...portal].map((entry) => `@farthing/widget${entry}`);
    const uses = entries.map(
      (entry, index) =>
        `import type { WidgetProperties as P${index}, WidgetEvent as E${index}, RedirectConfiguration as R${index} } from "${entry}";
         export const p${index}: P${index} = { token: "t", environment: "dev", onEvent: (event: E${index}) => void event.type };
         export const r${index}: R${index} = { paymentSuccess: { templateUrl: "https://a.example", idPlaceholder: "x" } };`,
    );
    const said = compile(
      "every.ts",
      `${uses.join("\n")}
       import type { WebhookEvent } from "@farthing/widget/server";
       const version: string | undefined = window.Farthing?.version;
       window.FarthingGiftCards?.mount("#cards", { token: "t", environment: "production", className: "c" }).destroy();
       window.Farthing?.mount("#shop", { token: "t", environment: "production", style: { height: "1px" } }).destroy();
       const widget = document.querySelector("farthing-widget");
       widget?.addEventListener("farthing-event", ({ detail }) => {
         if (detail.type === "PAYMENT_ERROR") console.log(detail.payload.code satisfies string);
         // @ts-expect-error there is no such event
         if (detail.type === "PAID") return;
       });
       // @ts-expect-error there is no such environment
       if (widget) widget.environment = "live";
       export const webhook = (event: WebhookEvent) => [event.data.amountPence, event.data["anything"], version];`,
      "--skipLibCheck",
      "false",
    );
    expect(said).toBe("");
  });

  const jsx = `
    const redirect = { paymentSuccess: { templateUrl: "https://a.example", idPlaceholder: "x" } };
    export const widget = (
      <farthing-widget token="t" environment="dev" path="/pay" redirect={redirect} id="pay" aria-label="Payment" style={{ height: 1 }}
        onEvent={(event) => console.log(event.type === "RESIZE" && event.payload.height)}
        onfarthing-event={(event) => console.log(event.detail.type)} />
    );
    // @ts-expect-error there is no such environment
    export const wrong = <farthing-widget environment="live" />;`;

  test.each([
    ["18", "react-18-types"],
    ["19", "@types/react"],
  ])("the element is known in the JSX of React %s, with either transform", (_, types) => {
    installPeer("@types/react", types);
    const element = 'import "@farthing/widget/element-react";';
    expect(compile("automatic.tsx", element + jsx, "--jsx", "react-jsx", "--skipLibCheck")).toBe("");
    expect(
      compile("classic.tsx", `import * as React from "react";${element}${jsx}`, "--jsx", "react", "--skipLibCheck"),
    ).toBe("");
    installPeer("@types/react");
  });

  test("the element is known in Vue's templates, with its properties and its event", () => {
    for (const name of ["vue", "@vue"]) installPeer(name);
    const said = compile(
      "vue.ts",
      `import "@farthing/widget/element-vue";
       import type { GlobalComponents } from "vue";
       type Properties = InstanceType<GlobalComponents["farthing-widget"]>["$props"];
       export const right: Properties = { token: "t", environment: "dev", class: "c", onEvent: (event) => void event.type, onFarthingEvent: ({ detail }) => void detail.type };
       // @ts-expect-error there is no such environment
       export const wrong: Properties = { environment: "live" };`,
      "--skipLibCheck",
      "true",
    );
    expect(said).toBe("");
  });

  test("the element is known in Svelte's templates, with its properties and its event", () => {
    installPeer("svelte");
    const said = compile(
      "svelte.ts",
      `import "@farthing/widget/element-svelte";
       import type { SvelteHTMLElements } from "svelte/elements";
       type Properties = SvelteHTMLElements["farthing-widget"];
       export const right: Properties = { token: "t", environment: "dev", class: "c", onEvent: (event) => void event.type, "onfarthing-event": ({ detail }) => void detail.type };
       // @ts-expect-error there is no such environment
       export const wrong: Properties = { environment: "live" };`,
      "--skipLibCheck",
      "true",
    );
    expect(said).toBe("");
  });

  test("CommonJS can require every entry, without a browser", () => {
    writeFileSync(
      `${project}/use.cjs`,
      `const names = ["", "/react", "/element", "/element-react", "/element-vue", "/element-svelte", "/gift-cards", "/gift-cards-react", "/gift-cards-element", "/frame", "/environments", "/server"];
       console.log(names.map((name) => Object.keys(require("@farthing/widget" + name)).filter((key) => key !== "default").length > 0).join());
       console.log(require("@farthing/widget/environments").findEnvironment("production").baseUrl);`,
    );
    expect(node("use.cjs")).toBe(`${Array(12).fill("true").join()}\nhttps://club.example\n`);
  });

  test.each([
    ["element", "farthing-widget"],
    ["element-react", "farthing-widget"],
    ["element-vue", "farthing-widget"],
    ["element-svelte", "farthing-widget"],
    ["gift-cards-element", "farthing-gift-cards"],
  ])("a bundler that drops unused code keeps the registration of the element in %s", async (entry, name) => {
    writeFileSync(`${project}/page.js`, `import "@farthing/widget/${entry}";`);
    const build = await rolldown({ input: `${project}/page.js`, cwd: project, platform: "browser" });
    const { output } = await build.generate({ format: "es" });
    await build.close();
    expect(output[0].code).toMatch(new RegExp(`\\.define\\(("${name}"|NAME)`));
    expect(output[0].code).toContain(`"${name}"`);
  });

  test("the server entry needs Web Crypto and text encoding only", async () => {
    const build = await rolldown({ input: `${installed}/server.js`, platform: "neutral" });
    const { output } = await build.generate({ format: "iife", name: "server" });
    await build.close();
    const edge = createContext({ crypto, TextEncoder, TextDecoder });
    const call = `${output[0].code};
      server.verifyWebhook({ body: "{}", signature: "t=1,v1=" + "0".repeat(64), secret: "whsec_1" })`;
    expect(await new Script(call).runInContext(edge)).toEqual({ ok: false, error: "wrong_signature" });
  });

  test("custom-elements.json lists each attribute and property of the element, and its event", () => {
    const { modules } = JSON.parse(read("custom-elements.json")) as {
      modules: { declarations: { attributes: Named[]; members: Named[]; events: Named[] }[] }[];
    };
    type Named = { name: string };
    const names = (list: Named[]) => list.map(({ name }) => name).toSorted();
    const accessors = Object.entries(Object.getOwnPropertyDescriptors(FarthingWidgetElement.prototype));
    const properties = accessors.filter(([, { set }]) => set).map(([name]) => name);
    expect(properties.length).toBeGreaterThan(5);
    for (const [index, element] of [FarthingWidgetElement, FarthingGiftCardsElement].entries()) {
      const { attributes, members, events } = modules[index]!.declarations[0]!;
      expect(names(attributes)).toEqual(expect.arrayContaining([...element.observedAttributes]));
      const own = index === 0 ? properties : properties.filter((name) => name !== "autoHeight");
      expect(names(members)).toEqual(expect.arrayContaining(own));
      expect(names(events)).toEqual(["farthing-event"]);
    }
    expect(FarthingGiftCardsElement.observedAttributes).not.toContain("auto-height");
  });

  test("it holds the files that it lists, no sources and no types of inner modules", () => {
    const { files } = JSON.parse(read("package.json")) as { files: string[] };
    const all = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(all.length).toBe(files.length + 3); // package.json, README.md and LICENSE are always published
    expect(files.filter((file) => /(?<!\.d)\.ts$|payment-modal|isolate/.test(file))).toEqual([]);
  });

  test("each script is one classic file that matches its published hash; the React components are marked as client components", () => {
    type Pinned = { file: string; integrity: string };
    const widget = JSON.parse(read("integrity.json")) as Pinned & { giftCards: Pinned };
    for (const { file, integrity } of [widget, widget.giftCards]) {
      const script = read(file);
      expect(() => new Script(script)).not.toThrow(); // compiles as a classic script: no import, no export
      expect(integrity).toBe(`sha384-${createHash("sha384").update(script).digest("base64")}`);
    }
    for (const component of ["react.js", "gift-cards-react.js"]) expect(read(component)).toMatch(/^"use client";/);
    expect(read("farthing-widget.css")).toContain(".farthing-modal{");
  });

  test("its modules know the hash of the payment's file that they load from the service after a failure", () => {
    const hash = createHash("sha384").update(read("farthing-widget-payment.js")).digest("base64");
    for (const folder of ["", "cjs/"]) {
      const modules = readdirSync(`${installed}/${folder}`).filter((name) => name.startsWith("shared-"));
      const code = modules.map((name) => read(folder + name)).join("");
      expect(code).toContain(`sha384-${hash}`);
      expect(code).toContain("farthing-widget-payment.js");
    }
  });

  test("it has no dependencies, and only the elements and the scripts have side effects", () => {
    const manifest = JSON.parse(read("package.json")) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("private");
    const elements = ["element", "element-react", "element-vue", "element-svelte", "gift-cards-element"];
    const acting = [...elements, ...Object.values(scriptNames).map((file) => file.slice(0, -".js".length))];
    expect(manifest.sideEffects).toEqual([
      ...acting.flatMap((name) => [`./${name}.js`, `./cjs/${name}.js`]),
      "./farthing-widget.css",
    ]);
  });

  test("it writes no markup: no innerHTML, no eval, no insertAdjacentHTML", () => {
    for (const file of [
      "farthing-widget.js",
      "farthing-gift-cards.js",
      "react.js",
      "element.js",
      "gift-cards.js",
      "frame.js",
    ]) {
      expect(read(file)).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
    }
  });
});
