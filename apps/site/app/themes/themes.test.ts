import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { coloursOf } from "@farthing/core/brands/theme-colours.server.ts";
import { describe, expect, it } from "vitest";
import { contrast, readTokens, type Scheme } from "./contrast.testing.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));
const themes = readdirSync(folder).filter((file) => file.endsWith(".css"));
const defaults = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");

/** Every pair that text is read in, in every state: what stands on what (docs/themes.md). */
const textPairs: [ink: string, ground: string][] = [
  ...["--ink", "--ink-soft", "--link"].flatMap((ink): [string, string][] =>
    ["--ground", "--surface", "--sunk"].map((ground) => [ink, ground]),
  ),
  ["--on-header", "--header"],
  ["--on-hero", "--hero"],
  ["--on-hero-soft", "--hero"],
  ["--on-hero-action", "--hero-action"],
  ["--on-hero-action", "--hero-action-hover"],
  ["--on-hero-field", "--hero-field"],
  ["--on-footer", "--footer"],
  ["--on-footer-soft", "--footer"],
  ["--on-action", "--action"],
  ["--on-action", "--action-hover"],
  ["--on-accent", "--accent"],
  ["--on-tint", "--tint"],
  ...["good", "warn", "bad"].flatMap((tone): [string, string][] => [
    [`--${tone}`, `--${tone}-tint`],
    [`--${tone}`, "--surface"],
  ]),
];

/** Edges that say what can be used, and rings that say where one is. */
const edgePairs: [edge: string, ground: string][] = [
  ["--edge-strong", "--surface"],
  ["--edge-strong", "--ground"],
  ["--focus", "--ground"],
  ["--focus", "--surface"],
  ["--hero-focus", "--hero"],
  ["--hero-action", "--hero"],
  ["--footer-focus", "--footer"],
];

describe.each(themes)("theme %s", (file) => {
  const css = readFileSync(folder + file, "utf8");

  it.each(["light", "dark"] as Scheme[])("B2 U1 every pair in use has the contrast of WCAG AA, %s", (scheme) => {
    const read = readTokens(css + defaults, scheme);
    const poor: string[] = [];
    for (const [pairs, least] of [
      [textPairs, 4.5],
      [edgePairs, 3],
    ] as const) {
      for (const [ink, ground] of pairs) {
        const [one, other] = [read(ink), read(ground)];
        if (one === null || other === null) poor.push(`${ink} or ${ground} is missing`);
        else if (contrast(one, other) < least)
          poor.push(`${ink} ${one} on ${ground} ${other}: ${Math.round(contrast(one, other) * 100) / 100}`);
      }
    }
    expect(poor).toEqual([]);
  });

  it("S1 nothing in it comes from elsewhere or out of a data: address", () => {
    expect(css).not.toMatch(/url\(\s*["']?(?:data:|https?:|\/\/)/);
  });
});

it("B2 the eight themes are eight: no two share a ground, a header and an action", () => {
  const looks = themes.map((file) => {
    const read = readTokens(readFileSync(folder + file, "utf8"), "light");
    return [read("--ground"), read("--header"), read("--action")].join(" ");
  });
  expect(new Set(looks).size).toBe(8);
});

it.each(themes)("B3 the colours that %s lends to mails and images are those of its stylesheet, light", (file) => {
  const read = readTokens(readFileSync(folder + file, "utf8") + defaults, "light");
  // Written in two places: where this fails, change packages/db/seeds/theme-colours.json.
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
