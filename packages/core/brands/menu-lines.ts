import type { MenuItem } from "./brand.ts";

/** A menu as people type it: a section a line, its label, a colon and its categories. */

/** @returns the sections, or the first line that is none */
export function readMenuLines(
  text: string,
): { sections: { label: string; categories: string[] }[] } | { fault: string } {
  const sections = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const at = line.indexOf(":");
    if (at < 1) return { fault: `"${line.slice(0, 60)}" is no section. Write its label, a colon and its categories.` };
    const categories = line.slice(at + 1).split(",");
    sections.push({ label: line.slice(0, at), categories: categories.map((each) => each.trim()).filter(Boolean) });
  }
  return { sections };
}

export function writeMenuLines(menu: readonly MenuItem[]): string {
  return menu
    .map(({ label, items = [] }) => {
      const categories = items.map(({ href }) => decodeURIComponent(href.split("/").at(-1) ?? ""));
      return `${label}: ${categories.join(", ")}`;
    })
    .join("\n");
}
