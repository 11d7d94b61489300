import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/logout-page";

/**
 * Ends the session and goes to the home page. It takes POST only, so that a link or a picture on another page cannot
 * log anyone out.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const headers = await context.get(servicesContext).accounts.logOut(context.get(visitContext), request);
  headers.set("Cache-Control", "no-store");
  // Removes what was stored on this device for the member: the digital ID (M6), searches, half-filled forms.
  headers.set("Clear-Site-Data", '"storage"');
  throw redirect(href("/"), { status: 303, headers });
}

/** People who type the address or use a bookmark are shown the profile, which has the button. */
export function loader() {
  throw redirect(href("/profile"));
}

/** Never shown. A default export makes this a page, and React Router checks the origin of posts to pages only. */
export default function LogoutPage() {
  return null;
}
