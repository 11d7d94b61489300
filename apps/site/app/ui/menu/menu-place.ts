/** Until the script runs the menu has neither mode: every entry is a link. */
export type MenuMode = "narrow" | "wide";

/** The open section and group of the menu. Without a section nothing is open. */
export interface MenuPlace {
  section?: number;
  /** Narrow windows only. */
  group?: number;
  /** Opened by a press, not by hovering: stays open until another press, Escape or a press on the overlay. */
  isPinned?: boolean;
}

/** Returns the level that the sheet shows: the sections, the groups of one, or the links of a group. */
export function levelOf({ section, group }: MenuPlace): 0 | 1 | 2 {
  if (section === undefined) return 0;
  return group === undefined ? 1 : 2;
}

/** Returns where a press on a section leads. On a wide window, a second press closes its panel. */
export function afterPress(mode: MenuMode, at: MenuPlace, section: number): MenuPlace {
  const closes = mode === "wide" && at.section === section && at.isPinned === true;
  return closes ? {} : { section, isPinned: true };
}

/** Returns the place one level up. */
export function oneLevelUp({ section, group }: MenuPlace): MenuPlace {
  return section === undefined || group === undefined ? {} : { section };
}
