/** Sentences about retailers. Slots: {name} {sells} {thing} {thing2} {year} {place} {founder} {founder2} {count}. */

export const shortInfos: readonly string[] = [
  "{name} sells {sells}.",
  "{Sells}, from {place}.",
  "{name}: {sells}, since {year}.",
  "A family firm from {place} with {sells}.",
  "{Sells}, chosen by people who use them.",
  "Known for {thing}, trusted for the rest: {sells}.",
  "{Sells}. {Count} branches and one good website.",
  "An independent with {sells}, and staff who answer the phone.",
  "{Sells} at fair prices, from a workshop in {place}.",
  "Started with {thing} in {year}; now {sells}.",
];

export const origins: readonly string[] = [
  "{founder} and {founder2} opened the first shop in {place} in {year}, with {thing} in the window and a kettle in the back. There are {count} shops now, and the kettle is still the first thing to be unpacked.",
  "{name} began in {year} as a market stall in {place}. What sold was {thing}, so that is what they learned to do well; {sells} followed.",
  "In {year} {founder} could not find decent {thing} anywhere, wrote to a maker in {place} and ordered a hundred. Ninety-nine were sold by the end of the month.",
  "The name is older than the firm: it was painted on the door of the workshop in {place} that {founder} rented in {year}. The door is in the meeting room.",
  "{founder} left teaching in {year} to sell {thing} from a spare room in {place}. Two house moves and {count} colleagues later it is still run by the same family.",
  "{name} is owned by the people who work there. It has been since {year}, when the founders retired and handed {count} employees the keys.",
  "Three nurses from {place} set up {name} in {year} because nobody made {thing} that lasted a shift. They still test everything on night duty.",
  "It started with a catalogue, printed in {place} in {year} and posted to four hundred people. Some of them are customers still.",
  "{name} grew out of a repair shop in {place}. {founder} mended {thing} for eleven years before selling any, and knows what breaks.",
  "Half of the firm is a warehouse in {place}; the other half is {count} people who pick up the phone. It has been so since {year}.",
  "{founder2} took over from {founder} in {year}, kept the recipe for the service and threw away the carpet.",
  "A charity shop volunteer and an accountant founded {name} in {place} in {year}. One chose the {thing}, the other the prices, and they have never swapped.",
];

export const ranges: readonly string[] = [
  "Look here for {sells}. The {thing} are what people come back for, and the {thing2} are better than they need to be.",
  "The range is small on purpose. You will find {sells}, each in two or three versions, with a plain word on who it suits.",
  "Beyond {thing} there is more than the home page shows: {sells}, and a page of {thing2} that is worth bookmarking.",
  "What {name} does best is {thing}. It also keeps {thing2} in stock the whole year, which few others do.",
  "Prices for {sells} sit in the middle. The {thing2} cost a little more than elsewhere and last a good deal longer.",
  "Buyers visit every maker twice a year. That is why the {thing} come with a name and a place, and the {thing2} with a promise.",
];

export const services: readonly string[] = [
  "Delivery is two to three working days, and the text tells you the hour. If it is late the charge is paid back without asking.",
  "Returns are free for thirty days, by post or in any branch, and refunds reach the card in three days.",
  "The reviews are from people who bought, and the bad ones are left up with an answer.",
  "Customer service is open from seven to ten. Nobody reads from a script.",
  "There is a page for seconds and ends of lines. It is not linked from the menu; look at the foot of the site.",
  "Parcels come in paper, and the box is the size of the thing.",
  "Sign in before you buy: the order history is where guarantees and spare parts live.",
  "If you work shifts, choose a locker or a named day. Both cost the same as the door.",
  "Newsletters come once a fortnight and have been known to hold a code; use ours, though, or the cashback may not track.",
  "Prices are the same in branches and online, but cashback is for online orders only.",
];

export const places: readonly string[] = [
  "Calderdale", "the Borders", "Teesside", "the Gower", "Northumberland", "the Black Country", "the Wirral", "Fife", "the Fens", "Pembrokeshire",
  "the Rhondda", "Weardale", "the Isle of Bute", "Romney Marsh", "the Potteries", "Moray", "the Tamar Valley", "East Lothian", "Strangford", "the Wolds", "Anglesey",
  "Clydeside", "the Forest of Dean", "Swaledale", "the Medway", "Exmoor", "Deeside", "the Mournes", "the Soar valley",
];

export const founders: readonly string[] = [
  "Ada Okafor", "Bronwen Pryce", "Callum Reid", "Dilys Hughes", "Ewan Muir", "Farida Khan", "Grace Adeyemi", "Harjit Gill", "Imogen Slater", "Jonah Peel", "Kavita Rao", "Lewis Tonge",
  "Morag Sinclair", "Nia Bevan", "Owen Larkin", "Priya Nair", "Quentin Ash", "Rosa Delgado", "Siobhan Kerr", "Tomasz Zielinski", "Una McBride", "Vikram Shah", "Winifred Cole", "Yusuf Demir",
  "Agnes Tully", "Bashir Hamid", "Cerys Vaughan", "Dougal Frame", "Esther Boateng", "Fergus Quinn",
];
