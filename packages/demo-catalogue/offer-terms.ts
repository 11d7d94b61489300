import type { OfferFamily } from "./grammar.ts";

/** Sentences of offers' terms. Slots: {min} {Leaves} {name} {thing} {n}. */
export const offerTerms: Record<OfferFamily, readonly string[]> = {
  goods: [
    "One use for each customer.",
    "Can’t be joined with another code, but sale prices still count.",
    "Delivery is charged as usual.",
    "If you return part of the order, the discount comes off the refund in proportion.",
    "Online only; branches can’t take it.",
    "For delivery in the United Kingdom.",
    "The shop can end the offer early when stock runs out.",
    "Prices are checked in the basket, so put everything in before you type the code.",
    "Account needed; it takes a minute.",
    "Pre-orders count from the day they are charged.",
  ],
  food: [
    "New customers only, one for each household.",
    "Skip or stop by noon two days before the next delivery.",
    "Delivery to most of mainland Britain; check your postcode first.",
    "The discount is on the food, not on the deposit for the crate.",
    "A least order of £{min} applies before the discount.",
    "One code for each order.",
    "Substitutes of the same price may be sent.",
  ],
  dining: [
    "Not in December.",
    "Tell your server before the bill is printed.",
    "For up to six people at one table.",
    "Food only; drinks and service are at the usual price.",
    "Booking is advised on Fridays.",
    "At branches that are listed on the offer’s page of the restaurant.",
    "Not with delivery apps.",
    "One offer for each table and visit.",
  ],
  contract: [
    "New customers only, after a credit check.",
    "On contracts of twelve months or more unless it says otherwise.",
    "The discount stops if you change the plan.",
    "Speed and coverage depend on where you live.",
    "You can cancel within fourteen days of being connected.",
    "One for each household.",
    "Calls outside the allowance cost extra.",
  ],
  cover: [
    "New policies only; renewals don’t count.",
    "The discount is on the first year’s price.",
    "Limits and excesses apply: read the policy summary.",
    "You can cancel within fourteen days and be paid back if you have not claimed.",
    "Paying by the month may cost more than paying at once.",
    "One for each policyholder.",
    "Cover starts no later than thirty days after the quote.",
  ],
  travel: [
    "On new bookings; not on those already made.",
    "The base price only: taxes, seats and bags are extra.",
    "One code for each booking.",
    "Dates and rooms are limited.",
    "Prices change as places go.",
    "Book at least three days before you leave.",
    "Children under two travel on a lap.",
  ],
  stay: [
    "On stays that are paid when booked.",
    "Two people sharing unless it says otherwise.",
    "Dates are limited and go first in school holidays.",
    "Can be moved once, up to seven days before.",
    "Extras on site are not part of the offer.",
    "One code for each stay.",
    "Arrival from three in the afternoon.",
  ],
  tickets: [
    "Advance tickets only; not at the gate.",
    "A booking fee may be added for each order.",
    "Bring the e-mail or the app; print is not needed.",
    "Tickets can be moved once, not paid back.",
    "Some dates are left out: the calendar shows them.",
    "Up to six tickets with one code.",
    "Children under three come in free anyway.",
  ],
  motoring: [
    "At branches and mobile fitters that the site offers for your postcode.",
    "One code for each booking.",
    "The price includes VAT.",
    "Can be moved up to noon on the day before.",
    "Drivers of 23 and over, with a licence held for a year.",
    "Not on work that has been booked already.",
    "A deposit is held on a card and released on return.",
  ],
};

/** For offers that are used in store. */
export const inStoreTerms: readonly string[] = [
  "Show your digital ID before you pay; it can’t be added afterwards.",
  "For you and what you buy for yourself.",
  "In all branches but those at stations and airports.",
  "One use a day.",
  "Not with other offers in the branch.",
  "The digital ID must be live on your screen; a screenshot is not taken.",
];

export const cashbackTerms: readonly string[] = [
  "Using a code that is not on this page can stop the cashback.",
  "Pay in the same visit: a basket kept for later is often credited to someone else.",
  "Orders that are cancelled or sent back don’t earn.",
  "Paying with a gift card is fine, but that part of the price does not count.",
  "Other cashback sites, browser extensions and price-comparison links can take the click over. Close them first.",
  "Orders by phone, or finished in the shop’s app, are not tracked.",
];
