"use client";
export { CollapsibleText } from "../../../apps/site/app/ui/collapsible-text.tsx";
export { SearchForm } from "../../../apps/site/app/ui/search-form.tsx";
export { SortForm } from "../../../apps/site/app/ui/sort-form.tsx";
export { OfferArticle } from "../../../apps/site/app/routes/offers/offer-article.tsx";
