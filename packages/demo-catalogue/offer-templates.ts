import type { OfferFamily } from "./grammar.ts";

/**
 * Offers as such shops word them. Slots: {pct} a percentage, {amount} pounds off, {min} least spend, {thing} {thing2} goods,
 * {Thing} with a capital, {season} an occasion, {perk} something free ({gift} with its article), {name} the retailer, {n} {m} small numbers, {price} a price.
 * `headline` is the largest type on the card; null takes it from the title (headline.ts).
 */
export interface OfferTemplate {
  title: string;
  headline: string | null;
  says: string;
}

const t = (title: string, headline: string | null, says: string): OfferTemplate => ({ title, headline, says });

export type OfferSlot = "code" | "deal" | "in_store" | "app";

type Templates = Record<OfferSlot, readonly OfferTemplate[]>;

const goods: Templates = {
  code: [
    t(
      "{pct}% off {thing} with this code",
      "{pct}% off",
      "Take {pct}% off {thing}, this season’s and last’s, at full price.",
    ),
    t(
      "£{amount} off when you spend £{min} at {name}",
      "£{amount} off",
      "Spend £{min} or more on anything from {thing} to {thing2}; the code takes £{amount} off at the till page.",
    ),
    t(
      "{pct}% off your first order",
      "{pct}% off",
      "New here? The code takes {pct}% off your whole first basket, {thing} included.",
    ),
    t(
      "Extra {pct}% off the sale: {thing} and more",
      "Extra {pct}% off",
      "On top of the sale price, with no least spend. Sizes and colours go as they go.",
    ),
    t(
      "Free delivery on {thing}, no least spend",
      "Free delivery",
      "Standard delivery on {thing} for nothing, even on one small thing.",
    ),
    t(
      "{pct}% off everything in the {season}",
      "{pct}% off",
      "The whole shop, from {thing} to {thing2}, for as long as the {season} lasts.",
    ),
    t(
      "£{amount} off orders over £{min}, {thing} included",
      "£{amount} off",
      "One code, one basket of £{min} or more. Fill it with {thing} or with anything else.",
    ),
    t(
      "Members’ price: {pct}% off {thing} and {thing2}",
      "{pct}% off",
      "For members of this club only. Type the code in the box under the delivery address.",
    ),
    t(
      "Free {perk} with orders over £{min}",
      "Free {perk}",
      "Add it to the basket, use the code and it comes down to nothing.",
    ),
    t(
      "{pct}% off two or more {thing}",
      "{pct}% off",
      "Put two or more in the basket and the code takes {pct}% off them all. Mix sizes and colours.",
    ),
    t(
      "{pct}% off for people with a work ID",
      "{pct}% off",
      "A standing discount for people who work for others; the code stands in for the ID online.",
    ),
    t(
      "Save £{amount} on {thing} over £{min}",
      "£{amount} off",
      "For the larger pieces: £{amount} off any {thing} of £{min} and up.",
    ),
    t(
      "{pct}% off next-season {thing}, before anyone else",
      "{pct}% off",
      "The new {thing} two weeks early, and {pct}% lower with the code.",
    ),
    t(
      "Weekend code: {pct}% off {thing2}",
      "{pct}% off",
      "From Friday noon to Monday midnight, on {thing2} of every make.",
    ),
  ],
  deal: [
    t(
      "Up to {big}% off {thing} in the {season}",
      "Up to {big}% off",
      "Prices are already marked down from {pct}% to {big}%. There is nothing to type in.",
    ),
    t(
      "{n} for {m} on {thing}",
      "{n} for {m}",
      "Put {n} in the basket and the cheapest is free. Mix {thing} as you like.",
    ),
    t(
      "{Thing} from £{price}",
      "From £{price}",
      "The starting price for {thing}, in the colours that are shown on the page.",
    ),
    t(
      "Free delivery over £{min} at {name}",
      "Free delivery",
      "Standard delivery for nothing on baskets of £{min} or more, to the door or to a locker.",
    ),
    t(
      "Half-price {thing} while they last",
      "Half price",
      "The last of the line at half the price, {thing2} as well. When a size is gone it is gone.",
    ),
    t(
      "Buy {thing}, get {gift} free",
      "Free {perk}",
      "No code: the offer shows in the basket as soon as both are in it.",
    ),
    t(
      "Two {thing} for £{pair}",
      "2 for £{pair}",
      "Any two from the page of {thing}; the price drops when the second goes in.",
    ),
    t(
      "Outlet: last season’s {thing} from £{price}",
      "From £{price}",
      "The outlet is restocked on Tuesdays with {thing} and {thing2} from last season.",
    ),
    t(
      "Pay for {thing} in three, interest-free",
      "Pay in 3",
      "Three equal payments over two months, with nothing added. Your status is checked.",
    ),
    t(
      "The {season}: see what is new at {name}",
      "New in",
      "New {thing}, a few old favourites and prices held from last year.",
    ),
    t("Free {perk} with any {thing}", "Free {perk}", "It goes into the parcel by itself while stocks last."),
  ],
  in_store: [
    t(
      "{pct}% off in store: show your digital ID",
      "{pct}% off",
      "Show your digital ID at the till before you pay. It works on {thing} and most of the shop.",
    ),
    t(
      "£{amount} off when you spend £{min} in branches",
      "£{amount} off",
      "Scan the code of your digital ID at the till in any branch.",
    ),
    t(
      "{pct}% off {thing} in branches, every Tuesday",
      "{pct}% off",
      "Every Tuesday for people with a digital ID. Staff will scan it.",
    ),
    t(
      "Free {perk} in store with your digital ID",
      "Free {perk}",
      "Ask at the desk and show your digital ID; it is for you, not to give away.",
    ),
  ],
  app: [
    t(
      "{pct}% off your first order in the {name} app",
      "{pct}% off",
      "Get the shop’s app, log in and the discount is in the basket.",
    ),
    t("App only: £{amount} off {thing} over £{min}", "£{amount} off", "This price is in the app and nowhere else."),
    t("Early access in the app: {season}", "Early access", "The app opens the {season} a day before the site does."),
  ],
};

const food: Templates = {
  code: [
    t(
      "£{amount} off your first box",
      "£{amount} off",
      "Choose your size and day, type the code and £{amount} comes off the first delivery.",
    ),
    t(
      "{pct}% off your first three orders",
      "{pct}% off",
      "The code stays on your account for three orders, {thing} included. Skip weeks as you like.",
    ),
    t(
      "£{amount} off when you spend £{min}",
      "£{amount} off",
      "One basket of £{min} or more, from {thing} to {thing2}.",
    ),
    t("Free {perk} with {thing}", "Free {perk}", "Add both to the basket; the code takes the extra down to nothing."),
    t("{pct}% off {thing} for the {season}", "{pct}% off", "Good on {thing} and {thing2} until the {season} is over."),
    t(
      "Free delivery on {thing} for a month",
      "Free delivery",
      "Four weeks of deliveries without the charge, from the day you use the code.",
    ),
    t(
      "Half price: your first order of {thing}",
      "Half price",
      "For households that have not ordered before. The second order is at the usual price.",
    ),
    t(
      "Come back for £{amount} off over £{min}",
      "£{amount} off",
      "For accounts that have been quiet for three months or more. Same crate, new {thing}.",
    ),
  ],
  deal: [
    t("{Thing} from £{price}", "From £{price}", "The smallest size at its everyday price, with nothing to type in."),
    t("Any {n} {thing} for £{pair}", "{n} for £{pair}", "Mix as you like; the price drops when the last one goes in."),
    t("Free delivery over £{min}", "Free delivery", "On baskets of £{min} or more, in the evening slots too."),
    t(
      "The {season} shop: {thing} and {thing2}",
      "New in",
      "What is at its best this month, packed the night before it leaves.",
    ),
    t("{pct}% off a case of {thing}", "{pct}% off", "Marked down on the page; buy by the six or the twelve."),
    t(
      "Send {thing} as a present from £{price}",
      "From £{price}",
      "With a card, on a day you choose, to any address in Britain.",
    ),
  ],
  in_store: [
    t(
      "{pct}% off at the farm shop with your digital ID",
      "{pct}% off",
      "Show your digital ID at the counter. Farm shop and café.",
    ),
    t("Free {perk} at the farm gate", "Free {perk}", "On collection days, to anyone who shows a digital ID."),
  ],
  app: [
    t(
      "£{amount} off your first order in the app",
      "£{amount} off",
      "Order in the app and the amount comes off by itself.",
    ),
    t("App only: {pct}% off {thing}", "{pct}% off", "A price that shows when you are logged in to the app."),
  ],
};

const dining: Templates = {
  code: [
    t(
      "{pct}% off your bill, Sunday to Thursday",
      "{pct}% off",
      "Book online with the code and the discount is on the bill when it comes.",
    ),
    t(
      "{pct}% off {thing} for up to six people",
      "{pct}% off",
      "One code covers the table. Tell them when you sit down if you booked by phone.",
    ),
    t(
      "£{amount} off when you spend £{min} on food",
      "£{amount} off",
      "On the food part of the bill, at any branch that takes bookings.",
    ),
    t(
      "Kids eat free in the {season}",
      "Kids eat free",
      "One child’s meal free with each adult main, from opening until six.",
    ),
    t("Two for one on {thing}", "2 for 1", "The cheaper one is free. Order at the table or at the counter."),
    t(
      "Free {perk} with this code",
      "Free {perk}",
      "Show the code with your order. Once a visit, as often as you like.",
    ),
    t(
      "{pct}% off click and collect",
      "{pct}% off",
      "Order {thing} on the restaurant’s own site, type the code, pick up when the text comes.",
    ),
    t("{n} {thing} for the price of {m}", "{n} for {m}", "For the staff room: one code, one order, one bag."),
  ],
  deal: [
    t(
      "{Thing} from £{price} at {name}",
      "From £{price}",
      "The everyday price before six; there is no code and no booking.",
    ),
    t("Set lunch: two courses for £{pair}", "2 courses £{pair}", "Monday to Friday until four, {thing} included."),
    t(
      "Free {perk} when you book online",
      "Free {perk}",
      "Book a table through the link and it is noted on the booking.",
    ),
    t(
      "The {season} menu: three courses for £{pair}",
      "3 courses £{pair}",
      "A short menu with {thing} and a proper pudding.",
    ),
    t(
      "Refer a colleague and both get £{amount} off",
      "£{amount} off",
      "When their first booking is eaten and paid, you both get the voucher.",
    ),
  ],
  in_store: [
    t(
      "{pct}% off food with your digital ID",
      "{pct}% off",
      "Show your digital ID when you ask for the bill. Food only.",
    ),
    t("Free {perk}: show your digital ID", "Free {perk}", "At the counter, on any day the branch is open."),
    t(
      "{pct}% off {thing} after nine in the evening",
      "{pct}% off",
      "For the late shift: from nine until the kitchen closes, with your digital ID.",
    ),
    t(
      "Two for one on {thing}, Monday to Wednesday",
      "2 for 1",
      "Both at the same table, with one digital ID between you.",
    ),
  ],
  app: [
    t(
      "{pct}% off {thing} in the app",
      "{pct}% off",
      "Order ahead in the restaurant’s app and it comes off before you pay.",
    ),
    t("Every tenth drink free in the app", "10th drink free", "The app keeps the stamps, so you can’t lose the card."),
  ],
};

const contract: Templates = {
  code: [
    t(
      "£{amount} off your first bill with {thing}",
      "£{amount} off",
      "Type the code on the last page; the amount comes off the first month.",
    ),
    t(
      "{months} months free on {thing}",
      "{Months} months free",
      "The free months come at the start, on a contract of twelve months or more.",
    ),
    t(
      "{pct}% off {thing} for the whole contract",
      "{pct}% off",
      "The discount holds to the last month, with no rise in between.",
    ),
    t("Double data on {thing}", "Double data", "The code doubles the allowance for as long as you stay."),
    t("Free {perk} with {thing}", "Free {perk}", "Choose a new contract, type the code and it is added to the order."),
    t("£{amount} gift card with {thing}", "£{amount} gift card", "Sent by e-mail ninety days after you are connected."),
    t(
      "Key worker price: £{price} a month for {thing}",
      "£{price} a month",
      "A price that is not on the ordinary pages. The code opens it.",
    ),
  ],
  deal: [
    t("{Thing} from £{price} a month", "£{price} a month", "The price on the page, fixed until the contract ends."),
    t("No set-up fee on {thing}", "No set-up fee", "Joining costs nothing until the end of the {season}."),
    t(
      "{Thing} for £{price}, half price for {months} months",
      "Half price",
      "Half the monthly price first, the whole price after, on one page with the total.",
    ),
    t(
      "The {season}: {thing} with nothing to pay until next month",
      "Nothing to pay now",
      "The first bill comes a month after you are connected.",
    ),
    t(
      "Bring your number and keep {pct}% off",
      "{pct}% off",
      "Ask your old network for the code to move; it takes one working day.",
    ),
  ],
  in_store: [
    t(
      "£{amount} off {thing} in shops with your digital ID",
      "£{amount} off",
      "Show your digital ID to the adviser before the order is placed.",
    ),
  ],
  app: [
    t(
      "Order {thing} in the app: £{amount} off the first bill",
      "£{amount} off",
      "Download, choose and pay in the app; the amount is taken off.",
    ),
    t("App only: one month of {thing} free", "One month free", "On thirty-day plans, when you start in the app."),
  ],
};

const cover: Templates = {
  code: [
    t(
      "{pct}% off {thing} for new customers",
      "{pct}% off",
      "The price in your quote comes down as soon as the code is in the box.",
    ),
    t(
      "£{amount} off {thing} when you buy online",
      "£{amount} off",
      "For new policies bought on the site, paid by the month or by the year.",
    ),
    t(
      "{months} months free on {thing}",
      "{Months} months free",
      "Pay for the rest of the year and have the first months for nothing.",
    ),
    t(
      "£{amount} gift card when you take out {thing}",
      "£{amount} gift card",
      "Sent by e-mail once the policy has run for ninety days.",
    ),
    t("Free {perk} with {thing}", "Free {perk}", "Added to your documents for the first year with the code."),
    t(
      "{pct}% off {thing} for public service workers",
      "{pct}% off",
      "Your job title decides; you may be asked for a payslip if you claim.",
    ),
  ],
  deal: [
    t(
      "{Thing} from £{price} a month",
      "£{price} a month",
      "The lowest price paid by one customer in ten last month. Yours depends on you.",
    ),
    t(
      "{Thing} with no cancellation fee",
      "No fee",
      "Stop when you like; what you have not used is paid back by the day.",
    ),
    t(
      "Lock in {thing} before the {season}",
      "Fixed price",
      "The price today holds for twelve months, whatever happens to the market.",
    ),
    t(
      "Add a second policy: {pct}% off {thing}",
      "{pct}% off",
      "For people who have one policy here already and want another.",
    ),
    t(
      "Switch in five minutes: {thing} at {name}",
      "Quick switch",
      "A meter reading and your postcode is all it takes.",
    ),
  ],
  in_store: [
    t(
      "{pct}% off {thing} at the branch with your digital ID",
      "{pct}% off",
      "Advisers add the discount when they see your digital ID.",
    ),
  ],
  app: [
    t(
      "Manage {thing} in the app and save £{amount}",
      "£{amount} off",
      "Paperless customers pay less. Choose the app when you buy.",
    ),
    t(
      "App only: {pct}% off at renewal of {thing}",
      "{pct}% off",
      "Renew in the app and the discount is there already.",
    ),
  ],
};

const travel: Templates = {
  code: [
    t(
      "£{amount} off {thing} over £{min} per booking",
      "£{amount} off",
      "One code for each booking, on dates until the end of next year.",
    ),
    t(
      "{pct}% off {thing} in the {season}",
      "{pct}% off",
      "On the base price, before bags and seats, for everyone on the booking.",
    ),
    t("Free {perk} on {thing}", "Free {perk}", "Add it on the extras page; the code takes it down to nothing."),
    t(
      "£{amount} off per adult: {thing}",
      "£{amount} each",
      "For departures in school holidays too, which is rarer than it should be.",
    ),
    t(
      "{pct}% off {thing} with a low deposit",
      "{pct}% off",
      "Pay £{price} today and the rest twelve weeks before you go.",
    ),
    t(
      "Teachers’ weeks: {pct}% off {thing}",
      "{pct}% off",
      "The two weeks after term ends, at a little less than everyone else pays.",
    ),
  ],
  deal: [
    t("{Thing} from £{price} a person", "From £{price}", "With flights or ferry, two sharing, on the dates shown."),
    t("Kids go free on {thing}", "Kids go free", "One child for each two adults, on selected dates."),
    t(
      "The {season}: up to {big}% off {thing}",
      "Up to {big}% off",
      "Marked down from {pct}% to {big}% on dates that are left.",
    ),
    t("Low deposits: {thing} from £{price}", "From £{price}", "Hold the dates now, pay the rest later."),
    t("Free {perk} on all {thing}", "Free {perk}", "In the price until the end of the {season}."),
    t("Last-minute {thing} this month", "Late deals", "What is left for the coming four weeks, cheapest first."),
  ],
  in_store: [
    t(
      "£{amount} off in travel shops with your digital ID",
      "£{amount} off",
      "Show it to the agent before the booking is made.",
    ),
  ],
  app: [
    t("£{amount} off {thing} in the app", "£{amount} off", "Book in the app; the price there is lower by the amount."),
  ],
};

const stay: Templates = {
  code: [
    t(
      "{pct}% off {thing} of two nights or more",
      "{pct}% off",
      "Sunday to Thursday, and most weekends outside the holidays.",
    ),
    t("£{amount} off {thing} over £{min}", "£{amount} off", "Type the code on the page where you choose how to pay."),
    t("Free {perk} on {thing}", "Free {perk}", "Add it to your stay and use the code; it costs nothing."),
    t(
      "{pct}% off {thing} in the {season}",
      "{pct}% off",
      "On what is left for the dates shown. Dogs and cots are welcome.",
    ),
    t(
      "Third night free: {thing}",
      "3rd night free",
      "Book three nights and pay for two; the cheapest is the free one.",
    ),
    t(
      "Rota changed? {pct}% off {thing} you can move",
      "{pct}% off",
      "A flexible rate for people whose shifts are not their own.",
    ),
    t("Save £{amount} on a week of {thing}", "£{amount} off", "Seven nights or more, in term time and out of it."),
  ],
  deal: [
    t("{Thing} from £{price} a night", "From £{price}", "The midweek price for two, breakfast in most places."),
    t(
      "The {season}: up to {big}% off {thing}",
      "Up to {big}% off",
      "Marked down from {pct}% to {big}% on the dates that are left.",
    ),
    t("Kids stay free at selected {thing}", "Kids stay free", "Under twelve, in the same room or lodge as two adults."),
    t("Free {perk} when you book direct", "Free {perk}", "Through this link and not through an agent’s site."),
    t("Pay half now: {thing} for next year", "Pay half now", "The rest is due four weeks before you arrive."),
  ],
  in_store: [
    t(
      "{pct}% off food on site with your digital ID",
      "{pct}% off",
      "In the bar and the restaurant, for everyone at your table.",
    ),
  ],
  app: [t("App price: {pct}% off {thing}", "{pct}% off", "The lower price shows when you are logged in to the app.")],
};

const tickets: Templates = {
  code: [
    t("{pct}% off {thing}", "{pct}% off", "Book ahead with the code and choose your seats or your time."),
    t("Two for one on {thing}", "2 for 1", "The second is free when you book both with the code."),
    t("£{amount} off {thing} over £{min}", "£{amount} off", "One order, one code; mix adults and children."),
    t("Free {perk} with {thing}", "Free {perk}", "It is on your ticket when the e-mail comes; show it at the desk."),
    t(
      "{pct}% off {thing} in the {season}",
      "{pct}% off",
      "On advance tickets for the dates that the calendar shows in green.",
    ),
    t("Family of four for £{pair}: {thing}", "£{pair} for 4", "Two adults and two children, or one and three."),
    t(
      "Any seat £{price}: {thing}, Monday to Thursday",
      "£{price} tickets",
      "Every film and every row until Thursday night.",
    ),
  ],
  deal: [
    t("{Thing} from £{price}", "From £{price}", "Advance price; the desk charges more on the day."),
    t("Kids go free with {thing}", "Kids go free", "One child for each paying adult in term time."),
    t("The {season}: book {thing} early", "Early price", "The first tickets are the cheapest and there are not many."),
    t("Annual pass for the price of {n} visits", "Annual pass", "After the third visit the rest of the year is free."),
  ],
  in_store: [
    t(
      "{pct}% off {thing} at the desk with your digital ID",
      "{pct}% off",
      "For you and one guest; show it before you pay.",
    ),
    t("Free {perk} with your digital ID", "Free {perk}", "Ask at the desk or the counter."),
    t("{pct}% off in the café with your digital ID", "{pct}% off", "Food, cake and hot drinks, every day."),
  ],
  app: [t("{pct}% off {thing} in the app", "{pct}% off", "Tickets live in the app, so there is nothing to print.")],
};

const motoring: Templates = {
  code: [
    t("{pct}% off {thing}", "{pct}% off", "Choose your car, your place and your time; the code comes last."),
    t("£{amount} off {thing} over £{min}", "£{amount} off", "Fitting, valves and disposal count towards the £{min}."),
    t("£{amount} off {thing} for a second car", "£{amount} off", "In the same booking or within a month of it."),
    t("Free {perk} with {thing}", "Free {perk}", "Add it to the booking and the code takes it off."),
    t("{pct}% off weekday {thing}", "{pct}% off", "Monday to Thursday, when the diary has room."),
    t("{pct}% off {thing} in the {season}", "{pct}% off", "Book now for any day until the {season} ends."),
    t(
      "Blue-badge and carer price: {pct}% off {thing}",
      "{pct}% off",
      "The code is enough; nobody asks for papers at the bay.",
    ),
  ],
  deal: [
    t("{Thing} from £{price}", "From £{price}", "All in: nothing is added at the desk."),
    t("Book {thing}, get {gift} free", "Free {perk}", "It shows on the confirmation, with no code."),
    t("The {season}: up to {big}% off {thing}", "Up to {big}% off", "Marked down from {pct}% to {big}% on the page."),
    t("Pay for {thing} in four", "Pay in 4", "Four equal payments, nothing added. Your status is checked."),
  ],
  in_store: [
    t("{pct}% off {thing} at the counter with your digital ID", "{pct}% off", "Show it when you hand over the keys."),
    t("Free {perk} with your digital ID", "Free {perk}", "While you wait, at any branch."),
  ],
  app: [
    t(
      "£{amount} off {thing} booked in the app",
      "£{amount} off",
      "Your car and its dates are kept in the app, with a reminder a month before.",
    ),
  ],
};

export const offerTemplates: Record<OfferFamily, Templates> = {
  goods,
  food,
  dining,
  contract,
  cover,
  travel,
  stay,
  tickets,
  motoring,
};
