import { offersTemplate } from "@farthing/core/catalogue/offers/offers-csv.ts";

/** The template of a file of the club's own offers: the columns, and one offer to write over. */
export function loader(): Response {
  return new Response(offersTemplate, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="offers-template.csv"',
    },
  });
}
