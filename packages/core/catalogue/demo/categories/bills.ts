import type { CategoryGrammar } from "../grammar.ts";

export const mobileAndBroadband: CategoryGrammar = {
  slug: "mobile-and-broadband",
  name: "Mobile & broadband",
  sector: "Telecommunications",
  body: `SIM-only plans, handsets and full fibre. Cashback is a fixed sum per contract, and among the largest on the site, because you are signing up for a year or two.

It is also the slowest: the network pays once you are connected and past the cooling-off time, and often after the third bill. Three to five months from order is usual. Cancel, downgrade or move in that time and it is withdrawn.

Upgrades and renewals rarely earn. If you are out of contract, being a new customer somewhere else nearly always beats a phone call.`,
  family: "contract",
  rate: { kind: "fixed", minPence: 1000, maxPence: 9000 },
  tiers: [["24-month contracts", "12-month contracts", "30-day SIMs"], ["Full Fibre 500 and above", "Full Fibre 150", "Broadband only"], ["New customers", "Upgrades"], ["Each new contract"]],
  basis: "for each new contract that is connected",
  tracks: [3, 21],
  confirms: [90, 150],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [8, 45],
  trades: [
    { word: "Mobile", sells: "SIM-only plans and phones on a contract", things: ["30 GB SIMs", "unlimited data SIMs", "family SIMs", "refurbished phones", "student SIMs", "12-month plans", "roaming add-ons", "data-only SIMs", "eSIM plans", "handset contracts"] },
    { word: "Broadband", sells: "full fibre broadband without the small print", things: ["Full Fibre 150", "Full Fibre 500", "Full Fibre 900", "social tariff broadband", "broadband and TV", "no-contract broadband", "whole-home wifi", "student broadband", "landline bundles", "Fibre Essential"] },
  ],
  seasons: ["switching season", "student move-in weeks", "Black Friday", "January price freeze", "the new-build offer"],
  perks: ["installation", "a mesh router", "a second SIM", "a static IP address"],
  leavesOut: ["upgrades", "business lines", "existing customers", "handset insurance", "moving home"],
  says: [
    "Prices don’t rise in the middle of a contract, which the terms say in one line.",
    "Support is by people in two call centres, and the wait is shown before you ring.",
    "Spending caps are on by default, so a child’s game can’t cost more than you allow.",
    "Routers arrive set up; you plug in two cables.",
  ],
};

export const energyInsuranceAndMoney: CategoryGrammar = {
  slug: "energy-insurance-and-money",
  name: "Energy, insurance & money",
  sector: "Insurance & Finance",
  body: `Cover for the car, the home, the dog and the holiday, energy tariffs and accounts. What you earn is a fixed sum for each policy or switch that goes ahead.

Buy the cover you need, not the one that pays most. Quotes alone earn nothing, and a policy cancelled in the cooling-off time earns nothing either. Most insurers confirm after ninety days.

Get the quote through the link here and finish it in the same visit. If you save a quote and come back by e-mail, the insurer sees the e-mail and not your club.`,
  family: "cover",
  rate: { kind: "fixed", minPence: 500, maxPence: 6000 },
  tiers: [["Comprehensive", "Third party"], ["Buildings and contents", "Contents only"], ["Annual policies", "Single trip"], ["Dual fuel", "Single fuel"], ["Each new policy"]],
  basis: "for each new policy that runs past the cooling-off time",
  tracks: [5, 30],
  confirms: [90, 180],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [12, 60],
  trades: [
    { word: "Insurance", sells: "car, home, pet and travel cover", things: ["car cover", "home cover", "pet cover", "annual travel cover", "contents cover", "van cover", "breakdown cover", "learner driver cover", "bike cover", "musical instrument cover"] },
    { word: "Energy", sells: "fixed and tracker tariffs for gas and electricity", things: ["fixed tariffs", "tracker tariffs", "electric car tariffs", "dual fuel", "smart meters", "solar export tariffs", "boiler cover", "heat pump tariffs", "home battery plans", "prepay tariffs"] },
  ],
  seasons: ["renewal season", "the price-cap change", "new-driver month", "holiday cover week", "winter switch event"],
  perks: ["legal cover for the first year", "uniform and tools cover", "key cover", "windscreen cover"],
  leavesOut: ["renewals", "mid-term changes", "add-ons", "business policies", "monthly prepay"],
  says: [
    "Driving between sites for work is included, with no extra line on the bill.",
    "Documents are four pages long and were tested on people who hate documents.",
    "Claims are answered by the person who keeps the case.",
    "Uniform, tools and marking in the boot are covered up to £1,000.",
  ],
};
