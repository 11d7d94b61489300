import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { href, redirect } from "react-router";
import { setClosedBanner } from "../../../server/closed-banner.ts";
import { visitContext } from "../../site-context.ts";
import type { Route } from "./+types/close-banner-page";

/**
 * Closes the brand's banner for a browser without script, and returns to the page. An id of another banner
 * changes nothing.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { brand, origin } = context.get(visitContext);
  const form = await request.formData();
  const headers = new Headers({ "Cache-Control": "no-store" });
  if (brand.banner && form.get("banner") === brand.banner.id)
    headers.set("Set-Cookie", setClosedBanner(brand.banner.id, origin));
  throw redirect(safeNext(form.get("next")), { status: 303, headers });
}

/** The address is for posts only. */
export function loader() {
  throw redirect(href("/"));
}

/** Never shown; see sign-in/logout-page.tsx. */
export default function CloseBannerPage() {
  return null;
}
