import { Carousel, type CarouselProps } from "./carousel.tsx";
import { offerCardOf, type OfferListProps } from "../cards/offer-card.tsx";

/** Offers one after another, with autoplay: four at a time, one on widths up to 1025 px (product.md D8). */
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
