import { findCategoryPage } from "@farthing/core/catalogue/categories/queries.server.ts";
import { notFound } from "next/navigation";
import { CollapsibleText, SelectForm } from "../../../client-parts.tsx";
import { selects } from "../../../list-selects.ts";
import { KindLinks, OfferGrid, Pager } from "../../../parts.tsx";
import { db, findVisit } from "../../../visit.ts";

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
      <Pager path={`/categories/${slug}?`} page={1} pages={Math.max(1, Math.ceil(category.total / 24))} />
    </div>
  );
}
