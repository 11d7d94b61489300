import { findCategoryPage } from "@farthing/core/catalogue/queries-categories.server.ts";
import { notFound } from "next/navigation";
import { CollapsibleText, SelectForm } from "../../../client-parts.tsx";
import { KindLinks, OfferGrid } from "../../../parts.tsx";
import { db, findVisit } from "../../../visit.ts";

const selects = [
  {
    name: "rate",
    label: "Shops paying",
    choices: [
      ["", "Any rate"],
      ["2", "2% or more"],
      ["5", "5% or more"],
      ["10", "10% or more"],
    ],
  },
  {
    name: "sort",
    label: "Sort by",
    choices: [
      ["", "Most popular"],
      ["newest", "Newest"],
      ["ending", "Ending soonest"],
    ],
  },
] as const;

export default async function Page({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params;
  const { brand, now } = await findVisit();
  const category = await findCategoryPage(db, { brandId: brand.id, now, slug, sort: "popular", page: 1 });
  if (!category) notFound();
  return (
    <div className="wrap page">
      <header className="category-head">
        <div>
          <h1 className="display page-title">{category.name}</h1>
          <CollapsibleText text={category.body} />
        </div>
        <img src={`/art/categories/${slug}.svg`} alt="" width={320} height={200} />
      </header>
      <div className="list-tools">
        <KindLinks path={`/categories/${slug}`} kinds={category.kinds} />
        <SelectForm path={`/categories/${slug}`} selects={selects} />
      </div>
      <p className="soft list-count">{category.total} offers</p>
      <OfferGrid offers={category.offers} now={now} />
    </div>
  );
}
