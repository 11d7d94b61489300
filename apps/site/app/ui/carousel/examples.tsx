import type { PartExamples } from "@farthing/ui/examples.ts";
import { LONG_TITLE, NOW, offers, retailers } from "../cards/example-catalogue.ts";
import { Carousel } from "./carousel.tsx";
import { LogoCarousel } from "./logo-carousel.tsx";
import { OfferCarousel } from "./offer-carousel.tsx";

export const examples: PartExamples = {
  carousel: [
    {
      name: "Slides of text",
      render: () => (
        <Carousel title="Plain slides" kind="other">
          {["First", "Second", "Third", "Fourth", "Fifth"].map((word) => (
            <p key={word} className="notice">
              {word} slide
            </p>
          ))}
        </Carousel>
      ),
    },
    {
      name: "One slide",
      note: "Nothing moves: the controls are disabled and there are no dots.",
      render: () => (
        <Carousel title="A single slide" kind="other" isVariantTwo>
          <p className="notice">The only slide</p>
        </Carousel>
      ),
    },
  ],
  "logo-carousel": [
    {
      name: "Many",
      note: "More places than dots: a line of words takes their place.",
      render: () => <LogoCarousel retailers={retailers(14)} title="Retailers our members use" />,
    },
  ],
  "offer-carousel": [
    { name: "Two views", render: () => <OfferCarousel offers={offers(8)} now={NOW} title="Offers for you" /> },
    {
      name: "Variant two, long title",
      render: () => <OfferCarousel offers={offers(5)} now={NOW} title={LONG_TITLE} isVariantTwo isRetailerKnown />,
    },
  ],
};
