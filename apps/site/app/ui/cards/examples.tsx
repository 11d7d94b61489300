import type { PartExamples } from "@farthing/ui/examples.ts";
import { CategoryCarousel, CategoryChips, CategoryGrid } from "./category-tile.tsx";
import {
  categories,
  category,
  LONG_TITLE,
  NOW,
  offer,
  offers,
  rate,
  retailer,
  retailers,
} from "./example-catalogue.ts";
import { OfferCard, OfferGrid } from "./offer-card.tsx";
import { RatesTable } from "./rates-table.tsx";
import { RetailerMark } from "./retailer-mark.tsx";
import { RetailerGrid, RetailerTile } from "./retailer-tile.tsx";
import { Scorecard } from "./scorecard.tsx";

const HOUR_MS = 3_600_000;

export const examples: PartExamples = {
  "offer-card": [
    { name: "Code", render: () => <OfferCard offer={offer} now={NOW} /> },
    {
      name: "On the retailer's own page",
      note: "The retailer's mark and name are left out.",
      render: () => <OfferCard offer={{ ...offer, publicId: "own-page" }} now={NOW} isRetailerKnown />,
    },
    {
      name: "Ends today, adults only, used",
      render: () => (
        <OfferCard
          offer={{
            ...offer,
            publicId: "ends-today",
            kind: "in_store",
            adultsOnly: true,
            endsAt: new Date(NOW.getTime() + 5 * HOUR_MS),
          }}
          now={NOW}
          state="used"
        />
      ),
    },
    {
      name: "Over",
      note: "Between its end and the next answer of the server a card says nothing about the end.",
      render: () => (
        <OfferCard
          offer={{ ...offer, publicId: "over", kind: "deal", endsAt: new Date(NOW.getTime() - HOUR_MS) }}
          now={NOW}
          state="members-only"
        />
      ),
    },
    {
      name: "Favourite, without terms",
      render: () => (
        <OfferCard
          offer={{ ...offer, publicId: "kept", kind: "cashback", termsLine: null, plusCashback: null }}
          now={NOW}
        />
      ),
    },
    {
      name: "Long texts",
      render: () => (
        <OfferCard
          offer={{
            ...offer,
            publicId: "long",
            kind: "gift_card",
            headline: "Up to 12.5% cashback and a free gift",
            title: LONG_TITLE,
            plusCashback: "plus £1,250.50 to £2,500.50 cashback",
            termsLine:
              "Not with any other offer, on gift cards, or on items that are already reduced in the winter sale",
            retailer: { slug: "fernhollow-boots", name: "The Great Northern Haberdashery and Outfitting Company" },
          }}
          now={NOW}
        />
      ),
    },
    { name: "Grid of many", render: () => <OfferGrid offers={offers(7)} now={NOW} /> },
    {
      name: "Row on a phone",
      note: "Below 768 px the cards stay in one row that scrolls sideways.",
      render: () => <OfferGrid offers={offers(5)} now={NOW} isRow isRetailerKnown />,
    },
  ],
  "retailer-tile": [
    { name: "Plain", render: () => <RetailerTile retailer={retailer} /> },
    { name: "Card, favourite", render: () => <RetailerTile retailer={{ ...retailer, slug: "kept" }} isCard /> },
    {
      name: "Long name, no offers",
      render: () => (
        <RetailerTile
          retailer={{ slug: "long", name: "The Great Northern Haberdashery Company", line: "No offers just now" }}
          isCard
        />
      ),
    },
    { name: "Grid of many", render: () => <RetailerGrid retailers={retailers(9)} /> },
  ],
  "retailer-mark": [
    { name: "In a list", render: () => <RetailerMark slug="fernhollow-boots" size={44} /> },
    { name: "On the retailer's own page", render: () => <RetailerMark slug="fernhollow-boots" size={96} isOwn /> },
    {
      name: "No image",
      note: "The box keeps its size, and nothing else is shown: the name stands beside it.",
      render: () => <RetailerMark slug="NO SUCH MARK" size={44} />,
    },
  ],
  "category-tile": [
    { name: "Grid", render: () => <CategoryGrid categories={categories(6)} /> },
    {
      name: "Long name, one offer",
      render: () => (
        <CategoryGrid
          categories={[{ ...category, name: "Holidays, flights, ferries and airport parking", liveOffers: 1 }]}
        />
      ),
    },
    { name: "Carousel", render: () => <CategoryCarousel categories={categories(6)} title="Browse by category" /> },
    { name: "Chips", render: () => <CategoryChips categories={categories(6)} /> },
  ],
  "rates-table": [
    {
      name: "Percentage, fixed sum, capped, boosted, none",
      render: () => (
        <RatesTable
          now={NOW}
          rates={[
            rate,
            {
              ...rate,
              label: "Contracts",
              kind: "fixed",
              ratePence: 2_500,
              usualPence: 2_500,
            },
            { ...rate, label: "Large furniture", capPence: 4_000 },
            { ...rate, label: "Sale", rateBp: 900, usualBp: 600, boostedUntil: new Date("2026-12-03T23:59:00Z") },
            { ...rate, label: "Gift cards", rateBp: 0, usualBp: 0 },
          ]}
        />
      ),
    },
    {
      name: "Long label",
      render: () => (
        <RatesTable
          now={NOW}
          rates={[
            {
              ...rate,
              label: "Personalised, engraved and made-to-measure items ordered together with a delivery slot",
            },
          ]}
        />
      ),
    },
  ],
  scorecard: [
    {
      name: "All figures",
      render: () => (
        <Scorecard
          scorecard={{ purchases: 12_345, trackedInTimePercent: 97, declinedPercent: 4, medianConfirmDays: 41 }}
        />
      ),
    },
    {
      name: "Too few decided",
      note: "Only the figure that enough purchases stand behind is shown.",
      render: () => (
        <Scorecard
          scorecard={{ purchases: 31, trackedInTimePercent: 100, declinedPercent: null, medianConfirmDays: null }}
        />
      ),
    },
    {
      name: "One day",
      render: () => (
        <Scorecard scorecard={{ purchases: 30, trackedInTimePercent: 0, declinedPercent: 100, medianConfirmDays: 1 }} />
      ),
    },
    { name: "Too few purchases", note: "Draws nothing.", render: () => <Scorecard scorecard={null} /> },
  ],
};
