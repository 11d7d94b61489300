import { homeSections, type BrandFeatures } from "@farthing/core/brands/brand.ts";
import { writeMenuLines, readMenuLines } from "@farthing/core/brands/menu-lines.ts";
import { areas, areaWords, type Area, type Pair } from "@farthing/core/brands/own-colours.ts";
import { brandStatement, colourPairs, type BrandStatement } from "@farthing/core/brands/schema.ts";
import { decimalPounds, parsePounds } from "@farthing/core/money/money.ts";
import type { BrandRecord } from "@farthing/core/brands/brand-records.server.ts";
import type { BrandProblem } from "@farthing/core/brands/save-brand.server.ts";
import type { Faults, Typed } from "../../kit/read-form.ts";

/** The forms of a brand: what is typed, by the names of fields, and the statement of core that it makes. */

export const featureWords: Record<keyof BrandFeatures, string> = {
  telemetry: "Counts what visitors do, with their consent",
  loginConfetti: "Confetti at the log-in",
  carerMigration: "Offers members who became carers a move to the carers’ club",
  appExclusive: "Offers in the app only (needs a link to a store)",
  giftCards: "Sells gift cards",
};
export const features = Object.keys(featureWords) as (keyof BrandFeatures)[];

export const sectionWords: Record<(typeof homeSections)[number], string> = {
  offers: "Carousel of offers",
  logos: "Carousel of logos",
  lead: "The lead offer",
  cashback: "Cashback retailers",
  how: "How cashback works",
  categories: "Categories as a grid",
  "category-carousel": "Categories as a carousel",
  latest: "Latest offers",
  ending: "Ending soon",
};
export { homeSections };

const fieldLabels: Record<string, string> = {
  slug: "The short name",
  name: "The name",
  strapline: "The strapline",
  audience: "Who it is for",
  supportEmail: "The address for questions",
  affinityId: "The id in telemetry",
  theme: "The theme",
  hosts: "The host",
  memberTypes: "The list of member types",
  minimumAge: "The age",
  residence: "The list of countries",
  payoutThresholdPence: "The amount",
  menu: "The menu",
  home: "The home page",
  bannerText: "The banner",
  bannerLink: "The banner’s link",
  ios: "The link",
  android: "The link",
  tagManager: "The container",
  engagementScript: "The script",
  features: "The switch",
  carerMove: "The move",
};

/** A switch in a form: absent where it is off. */
const isOn = (typed: Typed, name: string) => typed[name] === "on";
const orNull = (text: string | undefined) => (text?.trim() ? text.trim() : null);
const separated = (text: string | undefined) =>
  (text ?? "")
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter(Boolean);

export type ReadBrand = { ok: true; statement: BrandStatement } | { ok: false; faults: Faults };

/** Reads the form of a brand's record. `types`: the slugs of all member types, in registration's order. */
export function readBrandForm(typed: Typed, { slug, types }: { slug: string; types: readonly string[] }): ReadBrand {
  const faults: Record<string, string> = {};
  const menu = readMenuLines(typed["menu"] ?? "");
  if ("fault" in menu) faults["menu"] = menu.fault;
  const amount = typed["payoutThresholdPence"];
  const pence = amount === undefined ? undefined : parsePounds(amount.replace(/^£/, ""));
  if (pence === null) faults["payoutThresholdPence"] = "The amount is not in pounds. Give it as 10.00.";
  const banner = orNull(typed["bannerText"]);
  if (banner === null && orNull(typed["bannerLink"])) faults["bannerLink"] = "The banner’s link needs its text.";
  return checked(
    {
      slug,
      name: typed["name"] ?? "",
      strapline: typed["strapline"] ?? "",
      audience: typed["audience"] ?? "",
      supportEmail: (typed["supportEmail"] ?? "").trim(),
      affinityId: typed["affinityId"] ?? "",
      memberTypes: typesIn(typed, types),
      minimumAge: wholeNumber(typed["minimumAge"]),
      residence: separated(typed["residence"]),
      ...(typeof pence === "number" ? { payoutThresholdPence: pence } : {}),
      features: Object.fromEntries(features.map((name) => [name, isOn(typed, `feature-${name}`)])),
      storeLinks: { ios: orNull(typed["ios"]), android: orNull(typed["android"]) },
      tracking: { tagManager: orNull(typed["tagManager"]), engagementScript: orNull(typed["engagementScript"]) },
      ...("sections" in menu ? { menu: menu.sections } : {}),
      ...carerMoveIn(typed, faults),
      home: homeIn(typed),
      banner: banner === null ? null : { text: banner, href: orNull(typed["bannerLink"]) },
    },
    faults,
  );
}

/** Reads the form of a new brand: what every brand must have. Its colours are checked here, and read by `readPairs`. */
export function readNewBrand(typed: Typed, { types }: { types: readonly string[] }): ReadBrand {
  const faults: Record<string, string> = {};
  readPairs(typed, faults);
  return checked(
    {
      slug: (typed["slug"] ?? "").trim(),
      name: typed["name"] ?? "",
      strapline: typed["strapline"] ?? "",
      audience: typed["audience"] ?? "",
      supportEmail: (typed["supportEmail"] ?? "").trim(),
      theme: typed["theme"] ?? "",
      hosts: separated(typed["hosts"]),
      memberTypes: typesIn(typed, types),
    },
    faults,
  );
}

/** Reads the colours; null, with faults, where one is none. */
export function readPairs(typed: Typed, faults: Record<string, string> = {}): Record<Area, Pair> | null {
  const read = colourPairs.safeParse(pairsIn(typed));
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) {
    const [area, part] = path as [Area, keyof Pair];
    faults[colourField(area, part)] ??= `${areaWords[area].name}: this ${message}`;
  }
  return null;
}

/**
 * Returns what was typed, for a form that starts from another theme: a colour that nobody changed becomes the new theme's.
 * @param shown the colours that the form showed before anything was typed
 * @param start those of the new theme
 */
export function retheme(typed: Typed, shown: Record<Area, Pair>, start: Record<Area, Pair>): Typed {
  const { retheme: _pressed, theme: _before, ...kept } = typed;
  const colours = areas.flatMap((area) => {
    const isTouched = (["ground", "text"] as const).some(
      (part) => (typed[colourField(area, part)] ?? shown[area][part]) !== shown[area][part],
    );
    // Two colours that were chosen for each other stay together.
    return isTouched ? [] : (["ground", "text"] as const).map((part) => [colourField(area, part), start[area][part]]);
  });
  return { ...kept, ...(Object.fromEntries(colours) as Typed) };
}

export const colourField = (area: Area, part: keyof Pair) => `${area}-${part}`;

const pairsIn = (typed: Typed) =>
  Object.fromEntries(
    areas.map((area) => [
      area,
      { ground: typed[colourField(area, "ground")] ?? "", text: typed[colourField(area, "text")] ?? "" },
    ]),
  );

function typesIn(typed: Typed, types: readonly string[]): string[] {
  return types.filter((type) => isOn(typed, `type-${type}`));
}

/** The sections that have a place, by their places; of two with the same place in the order of the form. */
function homeIn(typed: Typed): string[] {
  return homeSections
    .map((section) => ({ section, place: Number(typed[`home-${section}`] || Number.NaN) }))
    .filter(({ place }) => !Number.isNaN(place))
    .toSorted((one, other) => one.place - other.place)
    .map(({ section }) => section);
}

const MOVER = "mover-";

/** Reads whom the carer migration asks and where they go: both or neither. A form without these fields leaves them as they are. */
function carerMoveIn(typed: Typed, faults: Record<string, string>): Pick<BrandStatement, "carerMove"> {
  const { carerMove: place } = typed;
  if (place === undefined) return {};
  const statuses = Object.keys(typed)
    .filter((name) => name.startsWith(MOVER) && isOn(typed, name))
    .map((name) => name.slice(MOVER.length));
  if (place === "" && statuses.length === 0) return { carerMove: null };
  if (place === "") faults["carerMove"] = "The move needs the club that its members go to.";
  if (statuses.length === 0) faults["carerMove"] = "The move needs the statuses whose members are asked.";
  const [toBrand = "", toMemberType = ""] = place.split("/", 2);
  return { carerMove: { statuses, toBrand, toMemberType } };
}

const wholeNumber = (text: string | undefined) => (text?.trim() ? Number(text) : Number.NaN);

function checked(stated: object, faults: Record<string, string>): ReadBrand {
  const read = brandStatement.safeParse(stated);
  if (!read.success)
    for (const { path, message } of read.error.issues) {
      const field = fieldOf(path);
      faults[field] ??= `${fieldLabels[field] ?? "This"} ${message}`;
    }
  return read.success && Object.keys(faults).length === 0 ? { ok: true, statement: read.data } : { ok: false, faults };
}

function fieldOf(path: readonly PropertyKey[]): string {
  const [first, second] = path.map(String);
  if (first === "banner") return second === "href" ? "bannerLink" : "bannerText";
  if ((first === "storeLinks" || first === "tracking") && second) return second;
  return first ?? "form";
}

/** Returns what core refused, by the form's fields. */
export function faultsOf(problems: readonly BrandProblem[]): Faults {
  const faults: Record<string, string> = {};
  for (const { field, message, area, part } of problems) {
    if (area && part) faults[colourField(area, part)] ??= message;
    else faults[field] ??= `${fieldLabels[field] ?? field} ${message}`;
  }
  return faults;
}

/** Returns a stored brand as the record's form shows it. */
export function typedOf({ brand, memberTypes, carerMove, payoutThresholdPence }: BrandRecord): Typed {
  const { name, strapline, audience, supportEmail, affinityId, storeLinks, tracking, banner, registration } = brand;
  const on = (names: readonly string[]) => Object.fromEntries(names.map((each) => [each, "on"]));
  return {
    ...{ name, strapline, audience, supportEmail, affinityId },
    minimumAge: String(registration.minimumAge),
    residence: registration.residence.join(", "),
    payoutThresholdPence: decimalPounds(payoutThresholdPence),
    ...{ ios: storeLinks.ios ?? "", android: storeLinks.android ?? "" },
    ...{ tagManager: tracking.tagManager ?? "", engagementScript: tracking.engagementScript ?? "" },
    ...{ bannerText: banner?.text ?? "", bannerLink: banner?.href ?? "", menu: writeMenuLines(brand.menu) },
    ...on(memberTypes.map((type) => `type-${type}`)),
    carerMove: carerMove ? `${carerMove.toBrand}/${carerMove.toMemberType}` : "",
    ...on((carerMove?.statuses ?? []).map((status) => `${MOVER}${status}`)),
    ...on(features.filter((feature) => brand.features[feature]).map((feature) => `feature-${feature}`)),
    ...Object.fromEntries(brand.home.map((section, at) => [`home-${section}`, String(at + 1)])),
  };
}

/** The words of a field in a stale save. */
export function labelOf(name: string): string {
  const [kind, rest] = [name.split("-", 1)[0] ?? "", name.slice(name.indexOf("-") + 1)];
  if (kind === "type") return `Member type ${rest}`;
  if (kind === "feature") return featureWords[rest as keyof BrandFeatures] ?? name;
  if (name.startsWith(MOVER)) return `Asked to move: ${rest}`;
  if (kind === "home") return `Place of ${sectionWords[rest as keyof typeof sectionWords] ?? rest}`;
  return fieldLabels[name] ?? name;
}
