/**
 * Every column that names a retailer, and what becomes of it when the retailer is merged into another (A2). A test holds the list against the
 * schema, and a merge against the list.
 *
 * - `moved`: the row is of the one that stays.
 * - `joined`: the same, and where both have a row that can exist once, one remains.
 * - `kept`: what happened stays with the record that it happened at, whose name is on receipts.
 * - `worked-out`: figures and search documents, which are made anew for the one that stays.
 * - `followed`: leads to the one that stays.
 */
export const retailerReferences = {
  "brand_retailers.retailer_id": "joined",
  "cashback_entries.retailer_id": "kept",
  "cashback_timings.subject_id": "worked-out",
  "claim_rules.retailer_id": "joined",
  "claims.retailer_id": "kept",
  "clicks.retailer_id": "kept",
  "favourite_retailers.retailer_id": "joined",
  "gift_card_products.retailer_id": "moved",
  "offers.retailer_id": "moved",
  "programmes.retailer_id": "moved",
  "rate_alerts.retailer_id": "joined",
  "retailer_categories.retailer_id": "joined",
  "retailer_scorecards.retailer_id": "worked-out",
  "retailers.merged_into_id": "followed",
  "search_offers.retailer_id": "worked-out",
  "search_retailers.retailer_id": "worked-out",
} as const;
