import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Script } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { budgets, entryBytes, es2020Bytes, lazyBytes, root, scriptFiles } from "./build-entries.ts";

test.each(budgets)(
  "W1 the $entry entry has at most $limit bytes at first, and $lazy later",
  async ({ entry, limit, lazy }) => {
    expect(await entryBytes(entry)).toBeLessThanOrEqual(limit);
    expect(await es2020Bytes(entry)).toBeLessThanOrEqual(limit);
    expect(await lazyBytes(entry)).toBeLessThanOrEqual(lazy);
  },
);

test("W1 S1 the script holds the hash of the part that it loads later", async () => {
  const { widget, payment } = await scriptFiles();
  expect(widget).toContain(`sha384-${createHash("sha384").update(payment).digest("base64")}`);
});

test("P4 a server can fill its environments into the script's text", async () => {
  const { widget } = await scriptFiles();
  const filled = widget.replaceAll("FARTHING_ENVIRONMENTS", '{"production":{"baseUrl":"https://club.example"}}');
  expect(() => new Script(filled)).not.toThrow();
  expect(filled).toContain("https://club.example");
});

describe("W1 the published package, as a partner installs it", () => {
  const project = mkdtempSync(`${tmpdir()}/widget-partner-`);
  const installed = `${project}/node_modules/@farthing/widget`;
  const read = (file: string) => readFileSync(`${installed}/${file}`, "utf8");
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" });

  beforeAll(() => {
    const environments = `${project}/environments.json`;
    writeFileSync(environments, '{"production":{"baseUrl":"https://club.example","publishableKey":"pk_live_1"}}');
    execFileSync(process.execPath, [`${root}build.ts`, installed], {
      env: { ...process.env, FARTHING_WIDGET_ENVIRONMENTS: environments },
    });
    mkdirSync(`${project}/node_modules/@types`);
    for (const name of ["react", "@types/react", "csstype"]) {
      symlinkSync(`${root}../../node_modules/${name}`, `${project}/node_modules/${name}`);
    }
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
       console.log([FarthingWidget, defineEnvironments, FarthingWidgetElement, connectHost, mountWidget].map((one) => typeof one).join());
       console.log(findEnvironment("production").baseUrl);`,
    );
    expect(node("use.js")).toBe("function,function,function,function,function\nhttps://club.example\n");
  });

  test("its types are complete, and refuse values that are not specified", () => {
    writeFileSync(
      `${project}/use.ts`,
      `import { FarthingWidget, type WidgetEvent } from "@farthing/widget/react";
       import { createElement } from "react";
       import "@farthing/widget/element";
       import { connectHost } from "@farthing/widget/frame";
       const redirect = { paymentSuccess: { templateUrl: "https://a.example/{id}", idPlaceholder: "{id}" } };
       const onEvent = (event: WidgetEvent) => (event.type === "RESIZE" ? event.payload.height : 0);
       createElement(FarthingWidget, { token: "t", environment: "dev", redirect, onEvent, style: { height: 1 }, className: "c", path: "/" });
       document.createElement("farthing-widget").redirect = redirect;
       connectHost({ hostOrigins: ["https://a.example"] }).openUrl("https://b.example", true);
       // @ts-expect-error there is no such environment
       createElement(FarthingWidget, { token: "t", environment: "live" });
       // @ts-expect-error a token is required
       createElement(FarthingWidget, { environment: "dev" });`,
    );
    const compiler = `${root}../../node_modules/typescript/bin/tsc`;
    const options = ["--strict", "--noEmit", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2022"];
    expect(node(compiler, ...options, "--lib", "es2022,dom,dom.iterable", "use.ts")).toBe("");
  });

  test("the script is one classic file that matches its published hash; the React component is marked as a client component", () => {
    const script = read("farthing-widget.js");
    expect(() => new Script(script)).not.toThrow(); // compiles as a classic script: no import, no export
    const { integrity } = JSON.parse(read("integrity.json")) as { integrity: string };
    expect(integrity).toBe(`sha384-${createHash("sha384").update(script).digest("base64")}`);
    expect(read("react.js")).toMatch(/^"use client";/);
    expect(read("farthing-widget.css")).toContain(".farthing-modal{");
  });

  test("it has no dependencies, and only the element and the script have side effects", () => {
    const manifest = JSON.parse(read("package.json")) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("private");
    expect(manifest.sideEffects).toEqual(["./element.js", "./farthing-widget.js", "./farthing-widget.css"]);
  });

  test("it writes no markup: no innerHTML, no eval, no insertAdjacentHTML", () => {
    for (const file of ["farthing-widget.js", "react.js", "element.js", "frame.js"]) {
      expect(read(file)).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
    }
  });
});
