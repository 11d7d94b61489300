import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/logout-page";

/** Ends the session and goes home. A POST: a link or a picture on somebody's page must not log anyone out. */
export async function action({ context, request }: Route.ActionArgs) {
  const headers = await context.get(servicesContext).accounts.logOut(context.get(visitContext), request);
  headers.set("Cache-Control", "no-store");
  // What was kept on this device for the member goes: the digital ID (product.md M6), searches, half-filled forms.
  headers.set("Clear-Site-Data", '"storage"');
  throw redirect(href("/"), { status: 303, headers });
}

/** Whoever types the address, or comes by a bookmark, is shown the profile, where the button is. */
export function loader() {
  throw redirect(href("/profile"));
}

/** Never shown. It makes this a page to React Router, which checks where posts to pages come from, and posts to other routes not. */
export default function LogoutPage() {
  return null;
}
