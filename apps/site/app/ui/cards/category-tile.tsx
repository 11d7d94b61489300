import type { CategoryCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { Carousel } from "../carousel/carousel.tsx";
import { offerCount } from "../lists/retailer-row.ts";

/** A category with its drawn art. The whole tile is one link. */
function CategoryTile({ category }: { category: CategoryCard }) {
  return (
    <div className="category-tile">
      <img
        src={`/art/categories/${category.slug}.svg`}
        alt=""
        width={320}
        height={200}
        loading="lazy"
        decoding="async"
      />
      <a href={`/categories/${category.slug}`}>{category.name}</a>
      <p>{offerCount(category.liveOffers)}</p>
    </div>
  );
}

export function CategoryGrid({ categories }: { categories: CategoryCard[] }) {
  return (
    <ul className="category-grid" role="list">
      {categories.map((category) => (
        <li key={category.slug}>
          <CategoryTile category={category} />
        </li>
      ))}
    </ul>
  );
}

/** Categories in a carousel: four at a time, three below 1025 px, two below 768 px (D8). */
export function CategoryCarousel({ categories, title }: { categories: CategoryCard[]; title: string }) {
  return (
    <Carousel title={title} kind="other" isVariantTwo>
      {categories.map((category) => (
        <CategoryTile key={category.slug} category={category} />
      ))}
    </Carousel>
  );
}

/** Categories as a row of text links. */
export function CategoryChips({ categories }: { categories: Pick<CategoryCard, "slug" | "name">[] }) {
  return (
    <ul className="chips" role="list">
      {categories.map(({ slug, name }) => (
        <li key={slug}>
          <a className="chip" href={`/categories/${slug}`}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
