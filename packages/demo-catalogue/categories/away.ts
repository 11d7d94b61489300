import type { CategoryGrammar } from "../grammar.ts";

export const holidaysAndFlights: CategoryGrammar = {
  slug: "holidays-and-flights",
  name: "Holidays & flights",
  sector: "Travel",
  body: `Packages, villas, flights and the ferry with the car on it. A small rate of a large booking is still a good evening out when you come home.

Cashback on travel is tracked when you book and confirmed after you have travelled, plus the time the company takes to close its books: six weeks to four months after your return. The dates on your timeline count from the last day of the trip.

Change a date or a name and the cashback follows. Cancel and it goes. Taxes, airport fees, seats and bags are left out of the sum nearly everywhere.`,
  family: "travel",
  rate: { kind: "percent", minBp: 100, maxBp: 700 },
  tiers: [
    ["Package holidays", "Flights only"],
    ["Long haul", "Short haul"],
    ["Villas and apartments", "Extras and transfers"],
    ["Everything"],
  ],
  basis: "on the price without taxes, fees and extras, once you have travelled",
  tracks: [2, 7],
  confirms: [45, 120],
  confirmsAfter: "travel",
  hasStores: false,
  basket: [220, 1900],
  trades: [
    {
      word: "Villas",
      sells: "villas and farmhouses with pools and no neighbours",
      things: [
        "Tuscan farmhouses £690",
        "Algarve villas £540",
        "Brittany gîtes £420",
        "Corfu villas £580",
        "Mallorcan fincas £720",
        "Dordogne barns £490",
        "Puglian trulli £610",
        "Lake Bled lodges £450",
        "villas for twelve £1490",
        "pet-friendly villas £520",
      ],
    },
    {
      word: "Holidays",
      sells: "package holidays, city breaks and flights",
      things: [
        "city breaks £129",
        "half-term packages £479",
        "all-inclusive weeks £529",
        "fly-drives £449",
        "northern lights trips £599",
        "rail holidays £389",
        "family resorts £459",
        "walking weeks £549",
        "single-parent holidays £429",
        "late deals £199",
      ],
    },
  ],
  seasons: ["peaks sale", "half-term event", "winter sun weeks", "last-minute week", "early-bird weeks"],
  perks: [
    "a child place",
    "Holidays> hold luggage",
    "Holidays> airport lounge passes",
    "flexible dates",
    "Villas> a welcome hamper",
    "Holidays> transfers",
  ],
  leavesOut: ["flights only", "taxes and fees", "group bookings", "car hire", "travel insurance"],
  says: [
    "Villas> Every villa has been slept in by someone on the staff, and the notes say what is near and what is noisy.",
    "Dates can be moved once for nothing, up to six weeks before.",
    "Prices are shown with bags, transfers and taxes, so the total doesn’t grow.",
    "Term-time and school-holiday prices stand side by side.",
  ],
};

export const hotelsAndUkBreaks: CategoryGrammar = {
  slug: "hotels-and-uk-breaks",
  name: "Hotels & UK breaks",
  sector: "Hotels & Accommodation",
  body: `Lodges, cottages, campsites, hotels and the spa you keep promising yourself. Midweek stays are cheaper and pay the same rate.

Cashback is confirmed after you have stayed, and the hotel has told the network so: six weeks to three months after you hand back the key. Book in January for August and you will see it tracked for a long time; that is as it should be.

Only what you pay online when booking counts. Dinner, spa treatments and extra nights added at the desk don’t.`,
  family: "stay",
  rate: { kind: "percent", minBp: 300, maxBp: 900 },
  tiers: [
    ["Prepaid rates", "Pay on arrival"],
    ["Three nights or more", "One or two nights"],
    ["Lodges and cottages", "Touring pitches"],
    ["Everything"],
  ],
  basis: "on the price without VAT and extras, once you have stayed",
  tracks: [2, 7],
  confirms: [40, 90],
  confirmsAfter: "stay",
  hasStores: false,
  basket: [90, 620],
  trades: [
    {
      word: "Breaks",
      sells: "short breaks by the sea and in the hills",
      things: [
        "midweek breaks £79",
        "weekends by the sea £109",
        "spa nights £129",
        "dog-friendly breaks £85",
        "half-term stays £119",
        "two-night escapes £89",
        "half-board stays £115",
        "walking weekends £95",
        "Sunday-start stays £75",
        "family rooms £99",
      ],
    },
    {
      word: "Lodges",
      sells: "lodges, cabins and cottages with hot tubs and bikes",
      things: [
        "hot-tub lodges £149",
        "treehouse cabins £165",
        "lakeside lodges £129",
        "shepherd’s huts £79",
        "glamping pods £55",
        "accessible lodges £99",
        "cottages for eight £220",
        "touring pitches £24",
        "off-grid cabins £95",
        "stargazing huts £85",
      ],
    },
  ],
  seasons: ["out-of-season event", "midweek sale", "half-term weeks", "log-fire weeks", "long-weekend sale"],
  perks: ["late check-out", "Breaks> breakfast", "Lodges> a welcome hamper", "Lodges> bike hire", "a dog’s stay"],
  leavesOut: ["bank holiday weekends", "Christmas and New Year", "group bookings", "spa treatments", "gift vouchers"],
  says: [
    "Dogs stay free, and have a towel of their own by the door.",
    "Check-in is until eleven at night, for people who finish at nine.",
    "Lodges> Every lodge page says how far the nearest neighbour, shop and hospital are.",
    "You can move your stay once for nothing if your rota changes.",
  ],
};

export const daysOutAndCinema: CategoryGrammar = {
  slug: "days-out-and-cinema",
  name: "Days out & cinema",
  sector: "Entertainment",
  body: `Cinemas, theatres, gardens, zoos and the museum with the good café. Most offers are codes for tickets or a digital ID to show at the desk, so they work at once.

Buy before you go: gate prices are higher and codes are for advance tickets. Carers and companions go free at many of these places; the offer’s terms say what to bring.

Term-time weekdays are the cheapest and the quietest. School-holiday dates are sometimes left out, and the calendar on each site shows which.`,
  family: "tickets",
  rate: { kind: "percent", minBp: 300, maxBp: 900 },
  tiers: [["Advance tickets", "Gift cards"], ["Annual passes", "Day tickets"], ["Everything"]],
  basis: "on the price without booking fees",
  tracks: [0, 1],
  confirms: [14, 35],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [14, 90],
  trades: [
    {
      word: "Cinemas",
      sells: "new films, relaxed screenings and good sofas",
      things: [
        "adult tickets £7",
        "family tickets £24",
        "relaxed screenings £5",
        "midweek tickets £6",
        "popcorn combos £8",
        "premium seats £11",
        "live theatre screenings £15",
        "kids’ club tickets £3",
        "late showings £6",
        "film club passes £12",
      ],
    },
    {
      word: "Gardens",
      sells: "gardens, animals and a day in the open",
      things: [
        "family day tickets £38",
        "annual passes £49",
        "winter light trails £14",
        "companion tickets £9",
        "animal encounters £29",
        "garden entry £9",
        "school-holiday tickets £12",
        "train rides £6",
        "afternoon tea and entry £24",
        "twilight tickets £7",
      ],
      also: { "eating-out": ["afternoon tea and entry"] },
    },
  ],
  seasons: ["school holidays", "twilight weeks", "awards season", "half-term week", "matinee weeks"],
  perks: [
    "a companion ticket",
    "Gardens> parking",
    "a hot drink",
    "Gardens> a children’s trail",
    "Cinemas> a seat upgrade",
  ],
  leavesOut: ["premieres", "bank holidays", "3D glasses", "special events", "members’ evenings"],
  says: [
    "Cinemas> Relaxed screenings are on the first Sunday, with the lights left low rather than off.",
    "Carers come in free, and nobody asks for more than a card.",
    "Tickets can be moved to another day up to noon the day before.",
    "Gardens> There is a quiet hour on weekday mornings, without the train or the loudspeakers.",
  ],
};
