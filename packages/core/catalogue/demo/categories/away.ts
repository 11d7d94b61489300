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
  tiers: [["Package holidays", "Flights only"], ["Long haul", "Short haul"], ["Villas and apartments", "Extras and transfers"], ["Everything"]],
  basis: "on the price without taxes, fees and extras, once you have travelled",
  tracks: [2, 7],
  confirms: [45, 120],
  confirmsAfter: "travel",
  hasStores: false,
  basket: [220, 1900],
  trades: [
    { word: "Villas", sells: "villas and farmhouses with pools and no neighbours", things: ["Tuscan farmhouses", "Algarve villas", "Brittany gîtes", "Corfu villas", "Mallorcan fincas", "Dordogne barns", "Puglian trulli", "Lake Bled lodges", "villas for twelve", "pet-friendly villas"] },
    { word: "Holidays", sells: "package holidays, city breaks and flights", things: ["city breaks", "half-term packages", "all-inclusive weeks", "fly-drives", "northern lights trips", "rail holidays", "family resorts", "walking weeks", "single-parent holidays", "late deals"] },
  ],
  seasons: ["peaks sale", "May half-term event", "winter sun launch", "last-minute week", "early-bird summer"],
  perks: ["a child place", "hold luggage", "airport lounge passes", "flexible dates", "transfers"],
  leavesOut: ["flights only", "taxes and fees", "group bookings", "car hire", "travel insurance"],
  says: [
    "Every villa has been slept in by someone on the staff, and the notes say what is near and what is noisy.",
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
  tiers: [["Prepaid rates", "Pay on arrival"], ["Three nights or more", "One or two nights"], ["Lodges and cottages", "Touring pitches"], ["Everything"]],
  basis: "on the price without VAT and extras, once you have stayed",
  tracks: [2, 7],
  confirms: [40, 90],
  confirmsAfter: "stay",
  hasStores: false,
  basket: [90, 620],
  trades: [
    { word: "Breaks", sells: "short breaks by the sea and in the hills", things: ["midweek breaks", "weekends by the sea", "spa nights", "dog-friendly breaks", "half-term stays", "two-night escapes", "dinner, bed and breakfast", "walking weekends", "Sunday-night stays", "family rooms"] },
    { word: "Lodges", sells: "lodges, cabins and cottages with hot tubs and bikes", things: ["hot-tub lodges", "treehouse cabins", "lakeside lodges", "shepherd’s huts", "glamping pods", "accessible lodges", "cottages for eight", "touring pitches", "off-grid cabins", "stargazing huts"] },
  ],
  seasons: ["autumn colours event", "midweek sale", "half-term availability", "winter log-fire offer", "early-summer sale"],
  perks: ["late check-out", "breakfast", "a welcome hamper", "bike hire", "a dog’s stay"],
  leavesOut: ["bank holiday weekends", "Christmas and New Year", "group bookings", "spa treatments", "gift vouchers"],
  says: [
    "Dogs stay free, and have a towel of their own by the door.",
    "Check-in is until eleven at night, for people who finish at nine.",
    "Every lodge page says how far the nearest neighbour, shop and hospital are.",
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
  confirms: [0, 1],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [14, 90],
  trades: [
    { word: "Cinemas", sells: "new films, relaxed screenings and good sofas", things: ["adult tickets", "family tickets", "relaxed screenings", "midweek tickets", "popcorn combos", "premium seats", "live theatre screenings", "kids’ club tickets", "late showings", "film club passes"] },
    { word: "Gardens", sells: "gardens, animals and a day in the open", things: ["family day tickets", "annual passes", "winter light trails", "companion tickets", "animal encounters", "garden entry", "school-holiday tickets", "train rides", "afternoon tea and entry", "twilight tickets"] },
  ],
  seasons: ["summer holidays", "light trail season", "awards season", "half-term week", "pantomime season"],
  perks: ["a companion ticket", "parking", "a hot drink", "a children’s trail", "a seat upgrade"],
  leavesOut: ["premieres", "bank holidays", "3D glasses", "special events", "members’ evenings"],
  says: [
    "Relaxed screenings are on the first Sunday, with the lights left low rather than off.",
    "Carers come in free, and nobody asks for more than a card.",
    "Tickets can be moved to another day up to noon the day before.",
    "There is a quiet hour on weekday mornings, without music.",
  ],
};
