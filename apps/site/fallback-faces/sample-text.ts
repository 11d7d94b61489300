/**
 * Text as pages have it: menu, cards, prices. A fallback face is as wide as the theme's own over all of it, so each letter counts as
 * often as it occurs.
 */
export const sampleText = `Home Retailers Categories Offers Gift cards Favourites Search Log in Join free Your profile Digital ID Questions
Cashback and offers for people who work for others. 6% back at Fernhollow Boots on everything, 15% off with a code at the till.
Ends on Sunday 30 November. Fashion, home and garden, food and drink, travel, books and learning, electricals, health and beauty.
Reveal the code, buy at the retailer, and see the cashback tracked, confirmed and paid. Up to £24.50 back on orders over £100.`;

/** Headings as pages have them, for the face that only headings have. */
export const sampleHeadings = `Money back for the people who teach. Discounts on your side of the counter. Small kindnesses for those on shift.
Search results for boots. Latest offers. Ending soon. How it works. Popular retailers. Fernhollow Boots. Books, learning and gifts.
Home and furniture. Join free. Your cashback. 15% off everything. Up to £40 back. 6% back. Two for one on days out.`;
