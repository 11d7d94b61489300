import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** How an advertiser pays: a share of the sale, or a fixed sum per sale. As Awin's commissiongroups answer has it. */
export interface CommissionGroup {
  groupId: number;
  groupCode: string;
  groupName: string;
  type: "percentage" | "fix";
  percentage?: number;
  amount?: number;
  currency?: string;
}

/** One advertiser's programme, as Awin's programmes answer has it. Fields not named here are handed on as they are. */
export interface Programme {
  id: number;
  name: string;
  displayUrl: string;
  clickThroughUrl?: string;
  currencyCode?: string;
  primaryRegion?: { name: string; countryCode: string };
  validDomains?: { domain: string }[];
  primarySector?: string;
  status?: string;
  commissionGroups?: CommissionGroup[];
}

/** One promotion or voucher, as Awin's promotions answer has it. */
export interface Promotion {
  promotionId: number;
  type: string;
  advertiser: { id: number; name: string; joined?: boolean };
  title: string;
  startDate?: string;
  endDate?: string | null;
  regions?: { all?: boolean; list?: { name?: string; countryCode?: string }[] };
  voucher?: { code?: string | null; exclusive?: boolean; attributable?: boolean } | null;
  dateAdded?: string;
}

export interface Catalogue {
  programmes(): readonly Programme[];
  programme(id: number): Programme | undefined;
  /** By the name in the shop's address, see `shopSlug`. */
  programmeOfShop(slug: string): Programme | undefined;
  shopSlug(programme: Programme): string;
  promotions(): readonly Promotion[];
  promotionsOf(advertiserId: number): readonly Promotion[];
}

/** The first label of the advertiser's domain: https://www.fernhollow-boots.example/ gives "fernhollow-boots". */
function domainLabel(programme: Programme): string {
  const host = URL.parse(programme.displayUrl)?.hostname ?? `advertiser-${programme.id}`;
  return (host.replace(/^www\./, "").split(".")[0] ?? "").replace(/[^a-z0-9-]/g, "") || `advertiser-${programme.id}`;
}

/**
 * Reads awin-programmes.json and awin-promotions.json from a folder. The files need not exist yet and may be
 * replaced at any time: they are looked at again (not more than once a second) and read when they have changed.
 * A file that can't be read keeps what was known before and is reported by `warn`.
 */
export function openCatalogue(folder: string, warn: (message: string) => void = console.warn): Catalogue {
  const programmesFile = watchedFile(join(folder, "awin-programmes.json"), "programmes", asProgramme, warn);
  const promotionsFile = watchedFile(join(folder, "awin-promotions.json"), "data", asPromotion, warn);
  const indexProgrammes = remembered((all: readonly Programme[]) => {
    const byId = new Map<number, Programme>();
    const bySlug = new Map<string, Programme>();
    const slugs = new Map<number, string>();
    for (const programme of all) {
      const label = domainLabel(programme);
      const slug = bySlug.has(label) ? `${label}-${programme.id}` : label;
      byId.set(programme.id, programme);
      bySlug.set(slug, programme);
      slugs.set(programme.id, slug);
    }
    return { byId, bySlug, slugs };
  });
  const indexPromotions = remembered((all: readonly Promotion[]) => Map.groupBy(all, (one) => one.advertiser.id));
  return {
    programmes: () => programmesFile(),
    programme: (id) => indexProgrammes(programmesFile()).byId.get(id),
    programmeOfShop: (slug) => indexProgrammes(programmesFile()).bySlug.get(slug),
    shopSlug: (programme) => indexProgrammes(programmesFile()).slugs.get(programme.id) ?? domainLabel(programme),
    promotions: () => promotionsFile(),
    promotionsOf: (advertiserId) => indexPromotions(promotionsFile()).get(advertiserId) ?? [],
  };
}

/** Computes again only when it is given another array. */
function remembered<Item, Result>(compute: (all: readonly Item[]) => Result): (all: readonly Item[]) => Result {
  let last: { all: readonly Item[]; result: Result } | undefined;
  return (all) => {
    if (last?.all !== all) last = { all, result: compute(all) };
    return last.result;
  };
}

// Awin writes ids as numbers; files made by other tools sometimes as text.
function asProgramme(record: Programme): Programme {
  const groups = record.commissionGroups?.map((group) => ({
    ...group,
    groupId: Number(group.groupId),
    groupCode: group.groupCode || String(group.groupId),
  }));
  return { ...record, id: Number(record.id), ...(groups ? { commissionGroups: groups } : {}) };
}

function asPromotion(record: Promotion): Promotion {
  return { ...record, advertiser: { ...record.advertiser, id: Number(record.advertiser.id) } };
}

function watchedFile<Item>(
  file: string,
  listName: string,
  clean: (record: Item) => Item,
  warn: (message: string) => void,
): () => readonly Item[] {
  let items: readonly Item[] = [];
  let stamp = "";
  let lookedAt = 0;
  return () => {
    const now = Date.now();
    if (items.length > 0 && now - lookedAt < 1000) return items;
    lookedAt = now;
    const found = statSync(file, { throwIfNoEntry: false });
    const newStamp = found ? `${found.mtimeMs}/${found.size}` : "";
    if (!found || newStamp === stamp) return items;
    try {
      items = listIn<Item>(JSON.parse(readFileSync(file, "utf8")), listName).map(clean);
      stamp = newStamp;
    } catch (error) {
      warn(`Sandbox: ${file} could not be read and is left as it was: ${String(error)}`);
    }
    return items;
  };
}

/** The files hold either the array itself or the answer's page around it. */
function listIn<Item>(parsed: unknown, listName: string): readonly Item[] {
  const list: unknown = Array.isArray(parsed) ? parsed : (parsed as Record<string, unknown> | null)?.[listName];
  if (!Array.isArray(list)) throw new Error(`expected an array, or an object with an array "${listName}"`);
  return list as Item[];
}
