import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { farthest } from "@farthing/core/brands/contrast.ts";
import {
  areas,
  colourFileOf,
  faultOf,
  type OwnColours,
  ownColoursCss,
  readColourFile,
} from "@farthing/core/brands/own-colours.ts";
import { coloursOf, startOf } from "@farthing/core/brands/theme-colours.server.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { colourPairs, decoration, fallbackTokens } from "./colour-pairs.testing.ts";
import { type Colour, contrast, declaredTokens, holdsColour, readColour, type Scheme } from "./contrast.testing.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));
const themes = readdirSync(folder).filter((file) => file.endsWith(".css"));
const defaults = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");

const admin = readFileSync(new URL("../../../../packages/ui/admin-theme.css", import.meta.url), "utf8");
const neutral = readFileSync(new URL("../../../../packages/ui/neutral-theme.css", import.meta.url), "utf8");
const sheets: [name: string, css: string][] = [
  ...themes.map((file): [string, string] => [file, readFileSync(folder + file, "utf8")]),
  ["admin-theme.css", admin],
  ["neutral-theme.css", neutral],
];
const listed = new Set(
  colourPairs.flatMap(
    (pair) =>
      pair
        .slice(0, 2)
        .join(" ")
        .match(/--[\w-]+/g) ?? [],
  ),
);

/** Returns the theme's tokens over the defaults. Tokens without a colour of their own take that of another token. */
function hexOf(colour: Colour | null): string {
  const parts =
    colour?.rgb.map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, "0"),
    ) ?? [];
  return `#${parts.join("")}`;
}

function tokensOf(css: string): Map<string, string> {
  const tokens = declaredTokens(css + defaults);
  for (const [name, other] of Object.entries(fallbackTokens))
    if (/^(?:currentcolor|transparent)$/i.test(tokens.get(name) ?? "")) tokens.set(name, `var(${other})`);
  return tokens;
}

describe.each(sheets)("theme %s", (_, css) => {
  const tokens = tokensOf(css);

  test.each(["light", "dark"] as Scheme[])(
    "B2 U1 every pair of colours meets the contrast of WCAG AA, %s",
    (scheme) => {
      const poor: string[] = [];
      for (const [colour, ground, minContrast, where] of colourPairs) {
        const [one, other] = [readColour(colour, scheme, tokens), readColour(ground, scheme, tokens)];
        if (one?.alpha !== 1 || other?.alpha !== 1)
          poor.push(`${colour} or ${ground} is missing or no plain colour (${where})`);
        else if (contrast(one, other) < minContrast)
          poor.push(
            `${colour} on ${ground}: ${Math.floor(contrast(one, other) * 100) / 100}, not ${minContrast} (${where})`,
          );
      }
      expect(poor).toEqual([]);
    },
  );

  test("B2 every colour is in the table of pairs, or in the list of decoration with a reason", () => {
    const unknown = [...tokens].filter(
      ([name, value]) => holdsColour(value, tokens) && !listed.has(name) && !(name in decoration),
    );
    expect(unknown.map(([name]) => name)).toEqual([]);
  });

  test("S1 it loads nothing from other hosts or data: addresses", () => {
    expect(css).not.toMatch(/url\(\s*["']?(?:data:|https?:|\/\/)/);
  });
});

test("B2 no two of the eight themes share a ground, a header and an action colour", () => {
  const looks = themes.map((file) => {
    const tokens = declaredTokens(readFileSync(folder + file, "utf8"));
    const read = (name: string) => JSON.stringify(readColour(name, "light", tokens));
    return [read("--ground"), read("--header"), read("--action")].join(" ");
  });
  expect(new Set(looks).size).toBe(8);
});

test.each(themes)("B3 the colours of %s in mails and images are those of its stylesheet, light", (file) => {
  const tokens = declaredTokens(readFileSync(folder + file, "utf8") + defaults);
  const read = (name: string) => /#[0-9a-f]{6}/.exec(tokens.get(name) ?? "")?.[0];
  // The colours are written in two places. If this fails, change packages/db/seeds/theme-colours.json.
  expect(coloursOf(file.replace(".css", ""))).toEqual({
    ground: read("--ground"),
    surface: read("--surface"),
    ink: read("--ink"),
    inkSoft: read("--ink-soft"),
    action: read("--action"),
    onAction: read("--on-action"),
    accent: read("--accent"),
    hero: read("--hero"),
    onHero: read("--on-hero"),
  });
});

test.each(themes)("B5 what a brand on %s starts from are the colours of its stylesheet", (file) => {
  const tokens = tokensOf(readFileSync(folder + file, "utf8"));
  const read = (name: string, scheme: Scheme = "light") => hexOf(readColour(name, scheme, tokens));
  const pair = (ground: string, text: string) => ({ ground: read(ground), text: read(text) });
  const grounds = ["--ground", "--surface", "--sunk"];
  // If this fails, change packages/db/seeds/theme-starts.json.
  expect(startOf(file.replace(".css", ""))).toEqual({
    pairs: {
      header: pair("--header", "--on-header"),
      hero: pair("--hero", "--on-hero"),
      action: pair("--action", "--on-action"),
      accent: pair("--accent", "--on-accent"),
    },
    light: grounds.map((name) => read(name)),
    dark: grounds.map((name) => read(name, "dark")),
  });
});

/** Colours as people choose them: each a pair of an area that passes the check, made from any two colours. */
const anyOwn = fc
  .tuple(...areas.map(() => fc.tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 0, max: 0xffffff }))))
  .map((numbers) => numbers.map((pair) => pair.map((number) => `#${number.toString(16).padStart(6, "0")}`)));

test.each(themes)("B2 B5 whatever colours pass the check, every pair of a page on %s can be read", (file) => {
  const css = readFileSync(folder + file, "utf8");
  const start = startOf(file.replace(".css", ""));
  fc.assert(
    fc.property(anyOwn, (chosen) => {
      const own: OwnColours = {};
      for (const [at, area] of areas.entries()) {
        let [ground = "", text = ""] = chosen[at] ?? [];
        const fault = faultOf(area, { ground, text }, start.light);
        if (fault?.part === "ground") ground = fault.nearest ?? "";
        text = faultOf(area, { ground, text }, start.light)?.nearest ?? farthest(ground);
        // A ground in the middle that no text stands on in every state is refused; here it is the theme's.
        if (faultOf(area, { ground, text }, start.light)) continue;
        own[area] = { ground, text };
      }
      expect(readColourFile(colourFileOf("x1", own) ?? "")?.own ?? {}).toEqual(own);
      const tokens = tokensOf(ownColoursCss(own, start) + css);
      for (const scheme of ["light", "dark"] as const)
        for (const [colour, ground, minContrast, where] of colourPairs) {
          const [one, other] = [readColour(colour, scheme, tokens), readColour(ground, scheme, tokens)];
          if (!one || !other) throw new Error(`${colour} or ${ground} is missing`);
          // A mixed colour is rounded to whole numbers by the check, and not by the browser.
          if (contrast(one, other) < minContrast - 0.03)
            throw new Error(
              `${colour} on ${ground}, ${scheme}: ${contrast(one, other)} (${where}); ${JSON.stringify(own)}`,
            );
        }
    }),
    { numRuns: 15 },
  );
});

/** The stylesheets of components and pages, including those shared with the admin. */
const componentSheets = ["../styles/", "../ui/", "../routes/", "../../../../packages/ui/"].flatMap((below) => {
  const base = fileURLToPath(new URL(below, import.meta.url));
  return readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".css") && !/node_modules|tokens\.css$|(admin|neutral)-theme\.css$/.test(file))
    .map((file): [string, string] => [below.replaceAll("../", "") + file, readFileSync(base + file, "utf8")]);
});

describe.each(componentSheets)("component styles %s", (file, css) => {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");

  test("B2 has no colours but tokens", () => {
    // A mask's black is not a visible colour. QR codes and barcodes are black on white in every brand, and the spinner is grey.
    const allowed = /^\s*mask(?:-image)?:|--spinner-colour, #808080/;
    const own =
      /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklch|oklab)\(|:[^;{}]*\b(?:white|black|gr[ae]y|red|green|blue|yellow|orange|purple)\b(?!-)/i;
    const lines = plain.split("\n").filter((line) => own.test(line.replace(/white-space/, "")) && !allowed.test(line));
    const isCode = ["packages/ui/qr-code/qr-code.css", "packages/ui/bar-code/bar-code.css"].includes(file);
    expect(isCode ? [] : lines).toEqual([]);
  });

  test("B2 uses tokens that exist, in pairs that are in the table", () => {
    const tokens = tokensOf(sheets[0]?.[1] ?? "");
    const local = declaredTokens(css);
    const used = [...plain.matchAll(/var\((--[\w-]+)(\s*,)?/g)].filter(([, name, fallback]) => name && !fallback);
    expect(used.map(([, name]) => name).filter((name) => !tokens.has(name ?? "") && !local.has(name ?? ""))).toEqual(
      [],
    );
    const strange: string[] = [];
    for (const [, block] of plain.matchAll(/\{([^{}]*)/g)) {
      const colour = /(?:^|[\s;])color:\s*var\((--[\w-]+)/.exec(block ?? "")?.[1];
      const ground = /(?:^|[\s;])background(?:-color)?:\s*var\((--[\w-]+)/.exec(block ?? "")?.[1];
      if (!colour || !ground || !listed.has(colour) || !listed.has(ground)) continue;
      if (!colourPairs.some(([one, other]) => one === colour && other === ground))
        strange.push(`${colour} on ${ground}`);
    }
    expect(strange).toEqual([]);
  });
});
