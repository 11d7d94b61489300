import type { EditorialRetailer } from "../import/editorial-schema.ts";
import type { Trade } from "./grammar.ts";

/**
 * Retailers that are in every demo catalogue, whatever its seed and size, always with the same name, address and programme id:
 * the ones brands' menus lead to, and every awkward case there is a rule for. Tests and screenshots can rely on them
 * (docs/catalogue-import.md lists them).
 */
export interface KnownRetailer {
  name: string;
  slug: string;
  category: string;
  /** One of the category's trades by its word, or a trade of its own. */
  trade: string | Trade;
  also?: readonly string[];
  status?: EditorialRetailer["status"];
  acceptsClaims?: false;
  adultsOnly?: true;
  /** The programme pays in this currency. */
  currency?: string;
  /** Also on this network, under this id. */
  otherNetwork?: { network: string; networkProgrammeId: string };
  /** Pays nothing now; the boost starts in three days. */
  zeroRate?: true;
  /** A boost runs now. */
  boosted?: true;
  hiddenFrom?: readonly string[];
  featuredOn?: readonly string[];
  /** Fixed number of ordinary offers besides its own awkward ones. */
  offers?: number;
  popularity?: number;
}

const pets: Trade = {
  word: "Pets",
  sells: "food, beds and toys for cats, dogs and rabbits",
  things: ["dog beds £24", "grain-free dog food £29", "cat trees £39", "puppy kits £35", "rabbit hutches £89", "harnesses £15", "kitten food £12", "aquarium starter sets £69", "flea treatments £14", "chew toys £5"],
};
const sim: Trade = {
  word: "SIM",
  sells: "SIM-only plans by the month",
  things: ["30 GB SIMs £8", "60 GB SIMs £11", "unlimited SIMs £18", "student SIMs £7", "data-only SIMs £10", "eSIM plans £8", "call-and-text SIMs £5", "family SIMs £22", "roaming SIMs £12", "tablet SIMs £9"],
};

export const knownRetailers: readonly KnownRetailer[] = [
  { name: "Sorrel & Dune", slug: "sorrel-and-dune", category: "womens-fashion", trade: "Wardrobe", boosted: true, featuredOn: ["chalkside", "tillside"], popularity: 930 },
  { name: "Marlowick Petite", slug: "marlowick-petite", category: "womens-fashion", trade: "Wardrobe" },
  { name: "Rookwhistle Tailors", slug: "rookwhistle-tailors", category: "mens-fashion", trade: "Tailors", featuredOn: ["mustermark"] },
  { name: "Hollowreed Shirts", slug: "hollowreed-shirts", category: "mens-fashion", trade: "Shirts" },
  { name: "Otterly & Pike", slug: "otterly-and-pike", category: "kids-and-baby", trade: "Uniforms", featuredOn: ["chalkside", "kindhold"], popularity: 890 },
  { name: "Wickerline Baby", slug: "wickerline-baby", category: "kids-and-baby", trade: "Baby" },
  {
    name: "Fernhollow Boots",
    slug: "fernhollow-boots",
    category: "shoes-and-bags",
    trade: "Boots",
    also: ["sports-and-outdoors"],
    otherNetwork: { network: "cj", networkProgrammeId: "5120774" },
    featuredOn: ["chalkside", "beaconry", "mustermark", "tillside"],
    popularity: 990,
  },
  { name: "Kestrelmoss Shoes", slug: "kestrelmoss-shoes", category: "shoes-and-bags", trade: "Boots" },
  { name: "Copperwren Jewellery", slug: "copperwren-jewellery", category: "jewellery-and-watches", trade: "Jewellery" },
  { name: "Ivoryknot Watches", slug: "ivoryknot-watches", category: "jewellery-and-watches", trade: "Watches" },
  { name: "Gildenrow Chemist", slug: "gildenrow-chemist", category: "health-and-beauty", trade: "Chemist", boosted: true, featuredOn: ["wardlight", "kindhold"], popularity: 950 },
  { name: "Yarrowmint Skin", slug: "yarrowmint-skin", category: "health-and-beauty", trade: "Skincare" },
  { name: "Tarnside Optics", slug: "tarnside-optics", category: "glasses-and-hearing", trade: "Optics", popularity: 720 },
  { name: "Linnetfold Hearing", slug: "linnetfold-hearing", category: "glasses-and-hearing", trade: "Hearing", featuredOn: ["kindhold"] },
  { name: "Thistlecrate Veg", slug: "thistlecrate-veg", category: "food-and-drink", trade: "Veg", featuredOn: ["wardlight", "kindhold", "freshledge"], popularity: 860 },
  { name: "Nan Thistle’s Pantry", slug: "nan-thistles-pantry", category: "food-and-drink", trade: "Veg" },
  { name: "Cinderquill Wines", slug: "cinderquill-wines", category: "food-and-drink", trade: "Wines", adultsOnly: true, hiddenFrom: ["freshledge"] },
  { name: "Brasslark Kitchen", slug: "brasslark-kitchen", category: "eating-out", trade: "Kitchen", featuredOn: ["tinrattle", "tillside"], popularity: 840 },
  { name: "Café Amberlune", slug: "cafe-amberlune", category: "eating-out", trade: "Kitchen", featuredOn: ["freshledge", "wardlight"] },
  { name: "Bramblekite Pizza", slug: "bramblekite-pizza", category: "eating-out", trade: "Pizza", featuredOn: ["freshledge"], popularity: 910 },
  { name: "Mossgate Sofas", slug: "mossgate-sofas", category: "home-and-furniture", trade: "Sofas", status: "in_administration", acceptsClaims: false, offers: 2 },
  { name: "Oatmarrow Bedding", slug: "oatmarrow-bedding", category: "home-and-furniture", trade: "Bedding", boosted: true, featuredOn: ["chalkside", "tinrattle"] },
  { name: "Pennywhistle Pets", slug: "pennywhistle-pets", category: "home-and-furniture", trade: pets, zeroRate: true },
  {
    name: "The Worshipful Guild of Plumthatch Quilters and Upholsterers",
    slug: "plumthatch-guild",
    category: "home-and-furniture",
    trade: "Bedding",
  },
  { name: "Hobnettle Tools", slug: "hobnettle-tools", category: "diy-and-garden", trade: "Tools", acceptsClaims: false, featuredOn: ["beaconry"] },
  { name: "Plumthatch Sheds", slug: "plumthatch-sheds", category: "diy-and-garden", trade: "Sheds" },
  { name: "Lanternoak Electricals", slug: "lanternoak-electricals", category: "electronics", trade: "Appliances", featuredOn: ["mustermark"] },
  { name: "Flintwillow Laptops", slug: "flintwillow-laptops", category: "electronics", trade: "Laptops", boosted: true, featuredOn: ["freshledge", "chalkside"], popularity: 940 },
  { name: "Larkspan Mobile", slug: "larkspan-mobile", category: "mobile-and-broadband", trade: "Mobile", featuredOn: ["freshledge", "beaconry"], popularity: 880 },
  { name: "Bluebottle Broadband", slug: "bluebottle-broadband", category: "mobile-and-broadband", trade: "Broadband" },
  { name: "Juniper Signal SIM", slug: "juniper-signal-sim", category: "mobile-and-broadband", trade: sim },
  { name: "Harbourlight Insurance", slug: "harbourlight-insurance", category: "energy-insurance-and-money", trade: "Insurance", featuredOn: ["mustermark", "wardlight"] },
  { name: "Candlefen Energy", slug: "candlefen-energy", category: "energy-insurance-and-money", trade: "Energy" },
  { name: "Maison Véloutine", slug: "maison-veloutine", category: "holidays-and-flights", trade: "Villas", currency: "EUR" },
  { name: "Zephyrdale Holidays", slug: "zephyrdale-holidays", category: "holidays-and-flights", trade: "Holidays", featuredOn: ["chalkside", "mustermark"], popularity: 870 },
  { name: "Saltmeadow Breaks", slug: "saltmeadow-breaks", category: "hotels-and-uk-breaks", trade: "Breaks", featuredOn: ["chalkside", "kindhold", "beaconry"], popularity: 900 },
  { name: "Heronsail Lodges", slug: "heronsail-lodges", category: "hotels-and-uk-breaks", trade: "Lodges" },
  { name: "Ambercroft Cinemas", slug: "ambercroft-cinemas", category: "days-out-and-cinema", trade: "Cinemas", featuredOn: ["chalkside", "tinrattle", "freshledge"], popularity: 920 },
  { name: "Quiverstone Gardens", slug: "quiverstone-gardens", category: "days-out-and-cinema", trade: "Gardens" },
  { name: "Russetwing Tyres", slug: "russetwing-tyres", category: "motoring", trade: "Tyres", featuredOn: ["beaconry"] },
  { name: "Gorsebright Hire", slug: "gorsebright-hire", category: "motoring", trade: "Hire" },
  { name: "Pebbleback Cycles", slug: "pebbleback-cycles", category: "sports-and-outdoors", trade: "Cycles", featuredOn: ["chalkside", "freshledge"], popularity: 910 },
  { name: "Driftpenny Outdoor", slug: "driftpenny-outdoor", category: "sports-and-outdoors", trade: "Outdoor", featuredOn: ["mustermark"] },
  { name: "Quillmoor Books", slug: "quillmoor-books", category: "books-learning-and-gifts", trade: "Books", boosted: true, featuredOn: ["chalkside", "tinrattle", "freshledge"], popularity: 960 },
  { name: "Silverteasel Flowers", slug: "silverteasel-flowers", category: "books-learning-and-gifts", trade: "Flowers" },
  { name: "Inkbarrow Stationers", slug: "inkbarrow-stationers", category: "books-learning-and-gifts", trade: "Books", hiddenFrom: ["wardlight", "kindhold", "beaconry", "mustermark", "tinrattle", "tillside", "freshledge"] },
  { name: "Moonharrow Student Living", slug: "moonharrow-student-living", category: "home-and-furniture", trade: "Bedding", hiddenFrom: ["chalkside", "wardlight", "kindhold", "beaconry", "mustermark", "tinrattle", "tillside"], featuredOn: ["freshledge"] },
  { name: "Violetspire Fabrics", slug: "violetspire-fabrics", category: "home-and-furniture", trade: "Sofas", status: "closed", offers: 1 },
  { name: "Umberlane Ferries", slug: "umberlane-ferries", category: "holidays-and-flights", trade: "Holidays", status: "paused", offers: 1 },
  { name: "Elderglass Optics", slug: "elderglass-optics", category: "glasses-and-hearing", trade: "Optics", offers: 0 },
];
