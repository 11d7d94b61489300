import { describe, expect, test } from "vitest";
import { contrastOf } from "./contrast.ts";
import { colourFileOf, faultOf, ownColoursCss, ownOf, readColourFile, tellFault } from "./own-colours.ts";
import { hexColour } from "./schema.ts";
import { coloursOf, startOf, themeNames } from "./theme-colours.server.ts";

const start = startOf("chalkside");

test.each(["nonsense", "__proto__", "constructor", ""])(
  "B4 the theme %j, which nobody has, falls back to the first",
  (odd) => {
    expect(startOf(odd)).toEqual(startOf("nonsense"));
    expect(coloursOf(odd).hero).toMatch(/^#/);
  },
);

describe("B2 B5 a brand's own colours", () => {
  test("B2 the contrast is that of WCAG", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrastOf("#ffffff", "#777777")).toBeCloseTo(4.48, 2);
    expect(contrastOf("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrastOf("#1f4d3f", "#1f4d3f")).toBe(1);
  });

  test("B2 every theme's own pairs pass, so that an unchanged form does", () => {
    for (const theme of themeNames) {
      const { pairs, light } = startOf(theme);
      for (const area of ["header", "action", "accent"] as const)
        expect(faultOf(area, pairs[area], light), `${theme} ${area}`).toBeNull();
    }
  });

  test("B5 text below 4.5:1 is refused with the nearest colour that passes; one step nearer does not", () => {
    const fault = faultOf("hero", { ground: "#2f6b4f", text: "#7fae95" }, start.light);
    expect(fault).toMatchObject({ area: "hero", part: "text" });
    expect(fault?.contrast).toBeLessThan(4.5);
    const nearest = fault?.nearest ?? "";
    expect(faultOf("hero", { ground: "#2f6b4f", text: nearest }, start.light)).toBeNull();
    // Lighter than what was typed, and of its hue: green stays the strongest part.
    expect(contrastOf(nearest, "#2f6b4f")).toBeGreaterThan(contrastOf("#7fae95", "#2f6b4f"));
    const [red = 0, green = 0] = [1, 3].map((at) => Number.parseInt(nearest.slice(at, at + 2), 16));
    expect(green).toBeGreaterThan(red);
    expect(tellFault(fault!)).toContain(`The nearest that passes is ${nearest}.`);
  });

  test("B5 text that passes alone and not while it is hovered is refused", () => {
    const pair = { ground: "#ffffff", text: "#757575" };
    expect(contrastOf(pair.text, pair.ground)).toBeGreaterThan(4.5);
    expect(faultOf("header", pair, start.light)).toMatchObject({ part: "text" });
    expect(faultOf("header", { ...pair, text: "#666666" }, start.light)).toBeNull();
  });

  test("B5 on a ground in the middle, where no text can be read in every state, the ground has to move", () => {
    const fault = faultOf("hero", { ground: "#777777", text: "#ffffff" }, start.light);
    expect(fault).toMatchObject({ part: "ground", against: "its text" });
    expect(faultOf("hero", { ground: fault?.nearest ?? "", text: "#ffffff" }, start.light)).toBeNull();
  });

  test("B5 a button that can't be told from the page is refused, by its ground", () => {
    expect(faultOf("action", { ground: "#f2b63c", text: "#241b04" }, start.light)).toMatchObject({ part: "ground" });
    expect(faultOf("action", { ground: "#7a1f5c", text: "#ffffff" }, start.light)).toBeNull();
  });

  test("B5 only what differs from the theme is the brand's own", () => {
    const hero = { ground: "#3d1053", text: "#ffffff" };
    expect(ownOf(start.pairs, start)).toEqual({});
    expect(ownOf({ ...start.pairs, hero }, start)).toEqual({ hero });
    expect(coloursOf("chalkside", { hero })).toEqual({ ...coloursOf("chalkside"), hero: "#3d1053", onHero: "#ffffff" });
    expect(ownColoursCss({}, start)).toBe("");
  });

  test("B5 a stylesheet's name says what is in it, and no other name is one", () => {
    const own = { hero: { ground: "#3d1053", text: "#ffffff" }, accent: { ground: "#ffd166", text: "#201400" } };
    const name = colourFileOf("tillside", own);
    expect(name).toBe("colours.tillside.-.3d1053ffffff.-.ffd166201400.css");
    expect(readColourFile(name ?? "")).toEqual({ theme: "tillside", own });
    expect(colourFileOf("tillside", {})).toBeNull();
    for (const bad of [
      "colours.tillside.-.-.-.css",
      "colours.tillside.-.-.-.-.-.css",
      "colours.Till.-.-.-.-.css",
      "colours.tillside.-.3d1053fffff}.-.-.css",
      "colours.tillside.-.3D1053FFFFFF.-.-.css",
      "logo.svg",
    ])
      expect(readColourFile(bad), bad).toBeNull();
  });

  test.each([
    ["#1F4D3F", "#1f4d3f"],
    [" 1f4d3f ", "#1f4d3f"],
    ["abc", "#aabbcc"],
    ["#1f4d3", null],
    ["red", null],
    ["#1f4d3f;}", null],
    ["", null],
  ])("B5 %j typed as a colour is %s", (typed, read) => {
    const parsed = hexColour.safeParse(typed);
    expect(parsed.success ? parsed.data : null).toBe(read);
  });
});
