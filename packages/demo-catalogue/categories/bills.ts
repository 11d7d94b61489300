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
  tiers: [
    ["24-month contracts", "12-month contracts", "30-day SIMs"],
    ["Full Fibre 500 and above", "Full Fibre 150", "Broadband only"],
    ["New customers", "Upgrades"],
    ["Each new contract"],
  ],
  basis: "for each new contract that is connected",
  tracks: [3, 21],
  confirms: [90, 150],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [8, 45],
  trades: [
    {
      word: "Mobile",
      sells: "SIM-only plans and phones on a contract",
      things: [
        "30 GB SIMs £8",
        "unlimited data SIMs £18",
        "family SIMs £22",
        "refurbished phones £14",
        "student SIMs £7",
        "12-month plans £9",
        "roaming add-ons £5",
        "data-only SIMs £10",
        "eSIM plans £8",
        "handset contracts £26",
      ],
      also: { electronics: ["refurbished phones"] },
    },
    {
      word: "Broadband",
      sells: "full fibre broadband without the small print",
      things: [
        "Full Fibre 150 £24",
        "Full Fibre 500 £29",
        "Full Fibre 900 £36",
        "social tariff broadband £14",
        "broadband and TV £38",
        "no-contract broadband £32",
        "whole-home wifi £6",
        "student broadband £22",
        "landline bundles £27",
        "Fibre Essential £21",
      ],
    },
  ],
  seasons: ["switching season", "student move-in weeks", "switch-and-save week", "price freeze", "new-build month"],
  perks: [
    "Broadband> installation",
    "Broadband> a mesh router",
    "Mobile> a year of roaming",
    "Broadband> a static IP address",
    "a second SIM",
  ],
  leavesOut: ["upgrades", "business lines", "existing customers", "handset insurance", "moving home"],
  says: [
    "Number transfers and switch-overs are done by a named person, who texts when it is finished.",
    "Prices don’t rise in the middle of a contract, which the terms say in one line.",
    "Support is by people in two call centres, and the wait is shown before you ring.",
    "Mobile> Spending caps are on by default, so a child’s game can’t cost more than you allow.",
    "Broadband> Routers arrive set up; you plug in two cables.",
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
  tiers: [
    ["Comprehensive", "Third party"],
    ["Buildings and contents", "Contents only"],
    ["Annual policies", "Single trip"],
    ["Dual fuel", "Single fuel"],
    ["Each new policy"],
  ],
  basis: "for each new policy that runs past the cooling-off time",
  tracks: [5, 30],
  confirms: [90, 180],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [12, 60],
  trades: [
    {
      word: "Insurance",
      sells: "car, home, pet and travel cover",
      things: [
        "car cover £28",
        "home cover £13",
        "pet cover £9",
        "annual travel cover £5",
        "contents cover £7",
        "van cover £34",
        "breakdown cover £6",
        "learner driver cover £38",
        "bike cover £6",
        "musical instrument cover £5",
      ],
      also: {
        motoring: ["car cover", "breakdown cover"],
        "holidays-and-flights": ["annual travel cover"],
      },
    },
    {
      word: "Energy",
      sells: "fixed and tracker tariffs for gas and electricity",
      things: [
        "fixed tariffs £88",
        "tracker tariffs £79",
        "electric car tariffs £64",
        "dual fuel £104",
        "smart meters £72",
        "solar export tariffs £48",
        "boiler cover £15",
        "heat pump tariffs £83",
        "home battery plans £59",
        "prepay tariffs £70",
      ],
      also: { motoring: ["electric car tariffs"] },
    },
  ],
  seasons: ["renewal season", "price-cap change", "new-driver month", "holiday cover week", "switch event"],
  perks: [
    "Insurance> legal cover",
    "Insurance> uniform and tools cover",
    "Insurance> key cover",
    "Energy> a smart thermostat",
    "Energy> a boiler check",
    "Insurance> windscreen cover",
  ],
  leavesOut: ["renewals", "mid-term changes", "add-ons", "business policies", "monthly prepay"],
  says: [
    "Insurance> Driving between sites for work is included, with no extra line on the bill.",
    "Energy> Bills show each day’s use beside the same day last year.",
    "Energy> The price of a unit is printed on the first line, with the standing charge beside it.",
    "Changes can be made online at any hour, without a fee.",
    "Documents are four pages long and were tested on people who hate documents.",
    "Insurance> Claims are answered by the person who keeps the case.",
    "Insurance> Uniform, tools and marking in the boot are covered up to £1,000.",
  ],
};
