import type { MenuItem } from "@farthing/core/brands/brand.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MainMenu } from "./main-menu.tsx";

const boots: MenuItem = { label: "All boots", href: "/categories/boots" };
const menu: MenuItem[] = [
  { label: "Fashion", href: "/categories/fashion", items: [{ label: "Boots", href: boots.href, items: [boots] }] },
  { label: "Travel", href: "/categories/travel" },
];
const at = (path: string) => renderToStaticMarkup(<MainMenu menu={menu} path={path} />);

test("P8 D6 without script every entry of the menu is a link, and the sheet's Back buttons are no part of it", () => {
  const [shown = ""] = at("/").split("<template>");
  expect(shown).not.toContain("aria-expanded");
  expect(shown.match(/<button/g), "Close menu").toHaveLength(1);
  const links = [...shown.matchAll(/<a href="([^"]+)" class="(?:menu-(?:trigger|group-name)|is-all)"/g)];
  expect(links.map(([, href]) => href)).toEqual([
    "/categories/fashion",
    "/categories/boots",
    "/categories/boots",
    "/categories/travel",
    "/retailers",
  ]);
});

test("D6 U1 the menu marks the page that is shown, and its section", () => {
  const marked = (path: string) =>
    [...at(path).matchAll(/<a [^>]*(?:aria-current="page"|data-current="true")[^>]*>([^<]+)/g)].map(([, text]) => text);
  expect(marked("/")).toEqual([]);
  expect(marked("/categories/boots")).toEqual(["Fashion", "Boots"]);
  expect(marked("/retailers")).toEqual(["All retailers"]);
});
