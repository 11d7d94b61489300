import { addFavourite } from "@farthing/core/favourites/operations.server.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { href, redirect } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { forgetWanted, wantedOf } from "./wanted-cookie.ts";
import type { Route } from "./+types/wanted-page";

/**
 * The login leads here after a visitor pressed a heart. Adds that favourite once, and goes back to the page it was on.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, member, origin } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const next = safeNext(readParameters(request, "/favourites/wanted").next, href("/favourites"));
  if (!member) throw loginRedirect(request, next);
  const favourite = wantedOf(request);
  if (favourite) await addFavourite(db, { brandId: brand.id, memberId: member.id, favourite, now: now() });
  throw redirect(next, { headers: { "Set-Cookie": forgetWanted(origin) } });
}
