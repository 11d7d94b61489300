import type { PartExamples } from "@farthing/ui/examples.ts";
import { NOW } from "../cards/example-catalogue.ts";
import { JsonLd } from "./json-ld.tsx";
import { offerFacts } from "./page-facts.ts";
import { PageHead } from "./page-head.tsx";

export const examples: PartExamples = {
  "page-head": [
    {
      name: "Public page",
      note: "Draws nothing: read the title, description and Open Graph properties in the page's head.",
      isWholePage: true,
      render: () => (
        <PageHead title="Walking boots" description="Cashback on boots." path="/categories/walking-boots" />
      ),
    },
    {
      name: "Private page",
      note: "Draws nothing: the head asks search engines to leave the page out.",
      isWholePage: true,
      render: () => <PageHead title="Your profile" isPrivate />,
    },
  ],
  "json-ld": [
    {
      name: "Offer",
      note: "Draws nothing: the data block stands in the page's source.",
      render: () => (
        <JsonLd
          facts={offerFacts(
            "https://club.example",
            {
              title: "15% off walking boots",
              headline: "15% off",
              description: "Every pair.",
              startsAt: NOW,
              endsAt: null,
              retailer: { name: "Fernhollow Boots", slug: "fernhollow-boots" },
              categories: [{ name: "Shoes and bags" }],
            },
            { path: "/offers/walking-boots?offer=example", brandName: "Club" },
          )}
        />
      ),
    },
  ],
};
