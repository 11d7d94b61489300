import { findCategoryPage } from "@farthing/core/catalogue/queries-categories.server.ts";
import { notFound } from "next/navigation";
import { rateSelect } from "../../../../../../apps/site/app/ui/offer-kinds.ts";
import { CollapsibleText, ListTools, OfferGrid } from "../../../client-parts.tsx";
import { db, findVisit } from "../../../visit.ts";

const sort = {
  name: "sort",
  label: "Sort by",
  choices: [
    ["", "Most popular"],
    ["newest", "Newest"],
    ["ending", "Ending soonest"],
  ],
} as const;

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
      <ListTools
        path={`/categories/${slug}`}
        parameters={{}}
        kinds={category.kinds}
        selects={[rateSelect, sort]}
        active={[]}
      />
      <p className="soft list-count">{category.total} offers</p>
      <OfferGrid offers={category.offers} now={now} />
    </div>
  );
}
