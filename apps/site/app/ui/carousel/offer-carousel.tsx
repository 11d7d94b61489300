import { Carousel, type CarouselProps } from "./carousel.tsx";
import { offerCardOf, type OfferListProps } from "../cards/offer-card.tsx";

/** Offers in a carousel: four at a time, one up to 1025 px (D8). */
export function OfferCarousel({
  title,
  isVariantTwo,
  ...list
}: OfferListProps & Omit<CarouselProps, "kind" | "children">) {
  return (
    <Carousel title={title} kind="offers" {...(isVariantTwo && { isVariantTwo })}>
      {list.offers.map((offer) => offerCardOf(offer, list))}
    </Carousel>
  );
}
