import type { CategoryCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { offerCount } from "./retailer-tile.tsx";

/** A category with its drawn art; the whole tile is one link. */
export function CategoryTile({ category }: { category: CategoryCard }) {
  return (
    <li className="category-tile">
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
    </li>
  );
}

export function CategoryGrid({ categories }: { categories: CategoryCard[] }) {
  return (
    <ul className="category-grid" role="list">
      {categories.map((category) => (
        <CategoryTile key={category.slug} category={category} />
      ))}
    </ul>
  );
}

/** Categories as words in a row, where pictures would be too much. */
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
