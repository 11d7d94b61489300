import type { Page } from "@playwright/test";
import { adminPages } from "./admin-pages.ts";

/** Opens the state of a page of the admin that adminPages names. */
export async function openAdminPage(
  page: Page,
  { path, opensFirst, links = [] }: (typeof adminPages)[keyof typeof adminPages] & object,
  url: (path: string) => string,
): Promise<void> {
  await page.goto(url(path));
  if (opensFirst) await page.locator("table tbody a").first().click();
  for (const link of links) await page.locator(link).first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Returns what can't be read in a narrow window: parts beyond its edge or cut off, and regions that the keyboard can't scroll. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const brief = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ${(element.textContent ?? "").trim().slice(0, 40)}`;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const scroller = (element: Element) => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
        if (scrolls(at)) return at;
      return null;
    };
    const shown = [...document.body.querySelectorAll<HTMLElement>("*")].filter(
      (element) => !element.closest("svg, .away, .skip-link, dialog:not([open])") && element.checkVisibility(),
    );
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide in a window of ${clientWidth}`);
    for (const element of shown) {
      const { right, width } = element.getBoundingClientRect();
      if (width > 1 && right > clientWidth + 1 && !scroller(element)) found.push(`beyond the edge: ${brief(element)}`);
      const { overflowX, overflowY } = getComputedStyle(element);
      const hidesText = overflowX === "hidden" || overflowX === "clip";
      if (hidesText && element.scrollWidth > element.clientWidth + 1 && width > 1)
        found.push(`cut off: ${brief(element)}`);
      const isField = element.matches("input, select, textarea, iframe");
      const overflows =
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
      if (!isField && overflows && (scrolls(element) || /auto|scroll/.test(overflowY))) {
        const hasStop =
          element.tabIndex >= 0 || element.querySelector("a[href], button, input, select, textarea, summary");
        if (!hasStop) found.push(`scrolls by pointer only: ${brief(element)}`);
      }
    }
    return [...new Set(found)];
  });
}

/** Returns what forced colours leave without a difference: chosen parts told by colour alone, and shapes of charts that can't be seen. */
export function lostInForcedColours(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const brief = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ${(element.textContent ?? "").trim().slice(0, 40)}`;
    const lookOf = (element: Element) => {
      const style = getComputedStyle(element);
      return [
        style.fontWeight,
        style.borderTopWidth,
        style.borderTopStyle,
        style.borderLeftWidth,
        style.borderBottomWidth,
        style.outlineStyle,
        style.outlineWidth,
        style.textDecorationLine,
      ].join(" ");
    };
    const found: string[] = [];
    const chosen = '[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"]';
    for (const element of document.querySelectorAll(chosen)) {
      if (!element.checkVisibility()) continue;
      const list = element.parentElement?.parentElement ?? document.body;
      const other = [...list.querySelectorAll(element.tagName)].find(
        (each) =>
          each !== element &&
          !each.matches(chosen) &&
          each.getAttribute("class") === element.getAttribute("class") &&
          each.checkVisibility(),
      );
      if (other && lookOf(other) === lookOf(element)) found.push(`chosen by colour alone: ${brief(element)}`);
    }
    const canvas = getComputedStyle(document.body).backgroundColor;
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      if (alpha === 0) return null;
      const part = (value: number) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    };
    const ground = luminance(canvas) ?? luminance(getComputedStyle(document.documentElement).backgroundColor) ?? 1;
    const isSeen = (colour: string) => {
      const light = colour === "none" ? null : luminance(colour);
      return light !== null && (Math.max(light, ground) + 0.05) / (Math.min(light, ground) + 0.05) >= 3;
    };
    for (const shape of document.querySelectorAll(".chart rect:not(.track), .chart path, .chart circle, .chart text")) {
      const { fill, stroke } = getComputedStyle(shape);
      if (shape.checkVisibility() && !isSeen(fill) && !isSeen(stroke))
        found.push(`not seen: ${brief(shape)} fill ${fill}, stroke ${stroke}`);
    }
    return [...new Set(found)];
  });
}

/** Rows of a table that are walked; the others are the same again. */
const ROWS = 2;

/**
 * Walks through the page's own part with Tab alone. Returns what it does not reach, what shows no focus or has it under something
 * else, and where it does not get on.
 */
export async function faultsOfTabbing(page: Page): Promise<string[]> {
  const wanted = await page.evaluate((rows) => {
    for (const row of document.querySelectorAll(`main tbody tr:nth-child(n + ${rows + 1})`)) row.remove();
    const main = document.querySelector("main")!;
    const stops = [
      ...main.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]"),
    ].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(":disabled, [type=hidden]") &&
        element.checkVisibility({ visibilityProperty: true }),
    );
    stops.forEach((element, at) => element.setAttribute("data-stop", String(at)));
    main.focus();
    return stops.length;
  }, ROWS);
  const found = new Set<string>();
  const reached = new Set<string>();
  let last = "";
  let repeated = 0;
  for (let press = 0; ; press++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || !document.querySelector("main")?.contains(element)) return null;
      const name = `<${element.tagName.toLowerCase()} ${element.getAttribute("name") ?? element.getAttribute("class") ?? ""}> ${(element.textContent ?? "").trim().slice(0, 40)}`;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const over = document.elementFromPoint(
        (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
        (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
      );
      const isCovered =
        over !== null &&
        !over.contains(element) &&
        !element.contains(over) &&
        over.closest("label")?.control !== element;
      const isOutside = bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth;
      return {
        name,
        stop: element.getAttribute("data-stop"),
        isVisible: outlineStyle !== "none" && Number.parseInt(outlineWidth, 10) >= 2,
        isHidden: isCovered || isOutside,
        isFrame: element.tagName === "IFRAME",
      };
    });
    if (now === null) break;
    if (now.stop !== null) reached.add(now.stop);
    if (!now.isVisible && !now.isFrame) found.add(`no focus to see: ${now.name}`);
    if (now.isHidden && !now.isFrame) found.add(`the focus is under something or outside: ${now.name}`);
    // A date has a stop for each of its parts.
    repeated = now.name === last ? repeated + 1 : 0;
    last = now.name;
    if (press > wanted * 5 + 20) return [...found, `a trap at ${now.name}, after ${repeated} more presses`];
  }
  const missed = await page.evaluate(
    (stops) =>
      [...document.querySelectorAll<HTMLElement>("[data-stop]")]
        .filter((element) => !stops.includes(element.dataset["stop"] ?? ""))
        // Of a group of radio buttons one is a stop, and arrows lead on.
        .filter((element) => {
          if (!(element instanceof HTMLInputElement) || element.type !== "radio") return true;
          return ![...document.getElementsByName(element.name)].some((one) =>
            stops.includes(one.dataset["stop"] ?? ""),
          );
        })
        .map((element) => `not reached: ${element.outerHTML.slice(0, 100)}`),
    [...reached],
  );
  return [...found, ...missed];
}
