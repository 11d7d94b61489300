"use client";
export { CollapsibleText } from "../../../apps/site/app/ui/collapsible-text.tsx";
export { SearchForm } from "../../../apps/site/app/ui/search-form.tsx";
export { ListTools } from "../../../apps/site/app/ui/list-tools.tsx";
export { OfferGrid } from "../../../apps/site/app/ui/offer-card.tsx";
export { RetailerGrid } from "../../../apps/site/app/ui/retailer-tile.tsx";
export { OfferArticle } from "../../../apps/site/app/routes/offers/offer-article.tsx";
