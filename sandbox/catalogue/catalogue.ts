import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** How an advertiser pays: a percentage of the sale, or a fixed sum per sale, as in Awin's commissiongroups. */
export interface CommissionGroup {
  groupId: number;
  groupCode: string;
  groupName: string;
  type: "percentage" | "fix";
  percentage?: number;
  amount?: number;
  currency?: string;
}

/** An advertiser's programme, as in Awin's programmes. Other fields are passed through unchanged. */
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

/** A promotion or voucher, as in Awin's promotions. */
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
  /** Finds an advertiser by the name in the shop's address, see `shopSlug`. */
  programmeOfShop(slug: string): Programme | undefined;
  shopSlug(programme: Programme): string;
  promotions(): readonly Promotion[];
  promotionsOf(advertiserId: number): readonly Promotion[];
}

/** Returns the first label of the advertiser's domain: "fernhollow-boots" for https://www.fernhollow-boots.example/. */
function domainLabel(programme: Programme): string {
  const host = URL.parse(programme.displayUrl)?.hostname ?? `advertiser-${programme.id}`;
  return (host.replace(/^www\./, "").split(".")[0] ?? "").replace(/[^a-z0-9-]/g, "") || `advertiser-${programme.id}`;
}

/**
 * Reads awin-programmes.json and awin-promotions.json from a folder. The files may not exist yet and may be
 * replaced at any time: they are checked at most once a second and read again when they have changed.
 * If a file can't be read, the previous content stays and `warn` reports it.
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

/** Memoizes a function of one array by identity. */
function remembered<Item, Result>(compute: (all: readonly Item[]) => Result): (all: readonly Item[]) => Result {
  let last: { all: readonly Item[]; result: Result } | undefined;
  return (all) => {
    if (last?.all !== all) last = { all, result: compute(all) };
    return last.result;
  };
}

// Awin writes ids as numbers; files of other tools sometimes have text.
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

/** Returns the array of a file, which holds the array itself or a page of the API with it. */
function listIn<Item>(parsed: unknown, listName: string): readonly Item[] {
  const list: unknown = Array.isArray(parsed) ? parsed : (parsed as Record<string, unknown> | null)?.[listName];
  if (!Array.isArray(list)) throw new Error(`expected an array, or an object with an array "${listName}"`);
  return list as Item[];
}
