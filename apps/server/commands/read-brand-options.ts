import { domainToASCII } from "node:url";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { brandStatement, type BrandStatement } from "@farthing/core/brands/schema.ts";

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;

/** The options of "create". */
const options = {
  name: text,
  strapline: text,
  audience: text,
  theme: text,
  "affinity-id": text,
  support: text,
  host: list,
  "member-type": list,
  feature: list,
  ios: text,
  android: text,
  "tag-manager": text,
  "engagement-script": text,
  "minimum-age": text,
  residence: list,
  menu: list,
  home: list,
  banner: text,
  "banner-link": text,
  default: { type: "boolean" },
} as const satisfies ParseArgsOptionsConfig;

const optionOf: Record<keyof BrandStatement, string> = {
  slug: "The brand's short name",
  name: "--name",
  strapline: "--strapline",
  audience: "--audience",
  theme: "--theme",
  affinityId: "--affinity-id",
  supportEmail: "--support",
  hosts: "--host",
  memberTypes: "--member-type",
  features: "--feature",
  storeLinks: "--ios or --android",
  tracking: "--tag-manager or --engagement-script",
  minimumAge: "--minimum-age",
  residence: "--residence",
  menu: "--menu",
  home: "--home",
  banner: "--banner",
  carerMove: "The carer migration",
  isDefault: "--default",
  colours: "The brand's own colours:",
  payoutThresholdPence: "The payout threshold",
};

/** Returns the sentence for a problem with a field, starting with its option. */
export function tellProblem(field: PropertyKey, message: string): string {
  return `${Object.hasOwn(optionOf, field) ? optionOf[field as keyof BrandStatement] : String(field)} ${message}`;
}

export const featureOptions = {
  telemetry: "telemetry",
  "login-confetti": "loginConfetti",
  "carer-migration": "carerMigration",
  "app-exclusive": "appExclusive",
  "gift-cards": "giftCards",
} as const;

/** Reads `<slug> --name … --host …` as typed. Returns all problems at once, as sentences. */
export function readBrandOptions(
  words: readonly string[],
): { ok: true; statement: BrandStatement } | { ok: false; problems: string[] } {
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    return { ok: false, problems: [(error as Error).message] };
  }
  const { values, positionals } = parsed;
  const problems: string[] = [];
  if (positionals.length > 1)
    problems.push(`"${positionals.slice(1).join(" ")}" is not part of an option. Quote values that contain spaces.`);
  const stated = {
    slug: positionals[0] ?? "",
    name: values.name,
    strapline: values.strapline,
    audience: values.audience,
    theme: values.theme,
    affinityId: values["affinity-id"],
    supportEmail: values.support,
    hosts: values.host?.flatMap(separated).map((host) => domainToASCII(host) || host),
    memberTypes: values["member-type"]?.flatMap(separated),
    features: readFeatures(values.feature, problems),
    storeLinks: readStoreLinks(values),
    tracking: readTracking(values),
    minimumAge: values["minimum-age"] === undefined ? undefined : Number(values["minimum-age"]),
    residence: values.residence?.flatMap(separated),
    menu: readMenu(values.menu, problems),
    home: values.home?.flatMap(separated),
    banner: readBanner(values, problems),
    isDefault: values.default,
  };
  const checked = brandStatement.safeParse(
    Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
  );
  if (!checked.success)
    problems.push(...checked.error.issues.map(({ path, message }) => tellProblem(path[0] ?? "", message)));
  return checked.success && problems.length === 0 ? { ok: true, statement: checked.data } : { ok: false, problems };
}

const separated = (value: string) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Reads values such as `telemetry`, `telemetry=on` or `telemetry=off`. */
function readFeatures(values: string[] | undefined, problems: string[]) {
  if (!values) return undefined;
  const features: Record<string, boolean> = {};
  for (const value of values.flatMap(separated)) {
    const [name = "", state = "on"] = value.split("=");
    if (!Object.hasOwn(featureOptions, name) || !["on", "off"].includes(state))
      problems.push(
        `--feature "${value}" is not a feature. Give one of ${Object.keys(featureOptions).join(", ")}, with =off to turn it off.`,
      );
    else features[featureOptions[name as keyof typeof featureOptions]] = state === "on";
  }
  return features;
}

/** "none" removes a link. */
function readStoreLinks({ ios, android }: { ios?: string | undefined; android?: string | undefined }) {
  if (ios === undefined && android === undefined) return undefined;
  const link = (value: string) => (value === "none" ? null : value);
  return {
    ...(ios === undefined ? {} : { ios: link(ios) }),
    ...(android === undefined ? {} : { android: link(android) }),
  };
}

/** "none" removes a setting. */
function readTracking(values: { "tag-manager"?: string | undefined; "engagement-script"?: string | undefined }) {
  const { "tag-manager": tagManager, "engagement-script": engagementScript } = values;
  if (tagManager === undefined && engagementScript === undefined) return undefined;
  const setting = (value: string) => (value === "none" ? null : value);
  return {
    ...(tagManager === undefined ? {} : { tagManager: setting(tagManager) }),
    ...(engagementScript === undefined ? {} : { engagementScript: setting(engagementScript) }),
  };
}

/** Reads sections such as `"Fashion: womens-fashion, mens-fashion"`; "none" is an empty menu. */
function readMenu(values: string[] | undefined, problems: string[]) {
  if (!values) return undefined;
  if (values.length === 1 && values[0] === "none") return [];
  return values.flatMap((value) => {
    const at = value.indexOf(":");
    if (at < 1) {
      problems.push(
        `--menu "${value}" is not a menu section. Write its label, a colon and its categories: "Fashion: womens-fashion, mens-fashion".`,
      );
      return [];
    }
    return [{ label: value.slice(0, at), categories: separated(value.slice(at + 1)) }];
  });
}

function readBanner(values: { banner?: string | undefined; "banner-link"?: string | undefined }, problems: string[]) {
  const { banner, "banner-link": href = null } = values;
  if (banner === undefined && href !== null) problems.push("--banner-link needs --banner, whose text links there.");
  if (banner === undefined) return undefined;
  return banner === "none" ? null : { text: banner, href };
}
