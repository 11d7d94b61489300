import { allCategories } from "./categories/all-categories.ts";
import type { DemoCategory, DemoEntry, DemoScale, NamedDemoRetailer } from "./demo-entry.ts";
import { knownOffers } from "./known-offers.ts";
import { knownRetailers, type KnownRetailer } from "./known-retailers.ts";
import { KindMix } from "./kind-mix.ts";
import { random } from "@farthing/art/random.ts";
import { inventNames, type NamedRetailer } from "./retailer-names.ts";
import { writeOffers } from "./write-offers.ts";
import { writeRetailer } from "./write-retailer.ts";

export function demoCategories(): DemoCategory[] {
  return allCategories.map(({ slug, name, body }) => ({ slug, name, body }));
}

/**
 * Generates a catalogue of fictional shops, retailer by retailer, so that a large one is never in memory as a whole. The known retailers and offers
 * come first; the rest is made up from the seed.
 * @throws RangeError for fewer retailers or offers than the known ones.
 */
export function* demoCatalogue({ seed, now, retailers, offers, networks = ["awin"] }: DemoScale): Generator<DemoEntry> {
  if (retailers < knownRetailers.length)
    throw new RangeError(`A demo catalogue has at least ${knownRetailers.length} retailers, not ${retailers}.`);
  const fixed = knownRetailers.reduce((sum, known) => sum + (known.offers ?? 0), knownOffers.length);
  if (offers < fixed + retailers)
    throw new RangeError(
      `A demo catalogue of ${retailers} retailers has at least ${fixed + retailers} offers, not ${offers}.`,
    );
  const counts = shareOut({ seed, retailers, offers: offers - fixed });
  const mix = new KindMix(knownOffers);
  let index = 0;
  for (const named of nameAll(seed, retailers)) {
    const chance = random(`${seed}/retailer/${named.slug}`);
    const network = named.known ? networks[0]! : networks[index % networks.length]!;
    const written = writeRetailer({ ...named, index, now, chance, network });
    const writtenOffers = writeOffers({ ...named, index, now, chance, network, count: counts(index), mix });
    yield {
      network,
      programme: written.programme,
      promotions: writtenOffers.map((offer) => offer.promotion),
      editorial: { ...written.editorial, offers: writtenOffers.map((offer) => offer.editorial) },
    };
    index += 1;
  }
}

function* nameAll(seed: string, retailers: number): Generator<NamedDemoRetailer> {
  const taken = new Set<string>();
  for (const known of knownRetailers) {
    taken.add(known.slug);
    yield nameKnown(known);
  }
  const invented = inventNames(random(`${seed}/names`), taken);
  for (let made = knownRetailers.length; made < retailers; made++) {
    yield { ...(invented.next().value as NamedRetailer), known: null };
  }
}

function nameKnown(known: KnownRetailer): NamedDemoRetailer {
  const category = allCategories.find((candidate) => candidate.slug === known.category);
  if (category === undefined) throw new Error(`${known.slug}: no category ${known.category}`);
  const trade =
    typeof known.trade === "string" ? category.trades.find((candidate) => candidate.word === known.trade) : known.trade;
  if (trade === undefined) throw new Error(`${known.slug}: no such trade in ${known.category}`);
  return { name: known.name, slug: known.slug, category, trade, known };
}

/** Returns how many ordinary offers each retailer has: at least one, many for a few, and `offers` in total. */
function shareOut({
  seed,
  retailers,
  offers,
}: {
  seed: string;
  retailers: number;
  offers: number;
}): (index: number) => number {
  const weight = (index: number) => {
    const known = knownRetailers[index];
    if (known?.offers !== undefined) return 0;
    return 0.2 + random(`${seed}/share/${index}`).next() ** 2.2;
  };
  let whole = 0;
  let sharing = 0;
  for (let index = 0; index < retailers; index++) {
    whole += weight(index);
    if (weight(index) > 0) sharing += 1;
  }
  const spare = offers - sharing;
  let reached = 0;
  let given = 0;
  return (index) => {
    const own = knownRetailers[index]?.offers;
    if (own !== undefined) return own;
    reached += weight(index);
    const upTo = Math.round((reached / whole) * spare);
    const count = 1 + upTo - given;
    given = upTo;
    return count;
  };
}
