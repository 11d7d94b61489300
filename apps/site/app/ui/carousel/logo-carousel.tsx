import { Carousel } from "./carousel.tsx";
import type { RetailerRow } from "../lists/retailer-row.ts";
import { RetailerTile } from "../cards/retailer-tile.tsx";

/** Retailers in a carousel: four at a time, three below 1025 px, two below 768 px (D8). */
export function LogoCarousel({ retailers, title }: { retailers: RetailerRow[]; title: string }) {
  return (
    <Carousel title={title} kind="logos" isVariantTwo>
      {retailers.map((retailer) => (
        <RetailerTile key={retailer.slug} retailer={retailer} isCard />
      ))}
    </Carousel>
  );
}
