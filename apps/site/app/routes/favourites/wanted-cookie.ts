import { type Favourite, favouriteKey, favouriteSchema } from "@farthing/core/favourites/schema.ts";

const NAME = "favourite_wanted";
const QUARTER_OF_AN_HOUR = 15 * 60;

/**
 * Returns the cookie that remembers what a visitor wanted to keep, for as long as a login takes. Only a post from one
 * of our pages in this browser sets it, and it can do no more than add that one favourite.
 */
export function rememberWanted(favourite: Favourite, origin: string): string {
  return cookie(favouriteKey(favourite), QUARTER_OF_AN_HOUR, origin);
}

export function forgetWanted(origin: string): string {
  return cookie("", 0, origin);
}

export function wantedOf(request: Request): Favourite | null {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([^;]*)`).exec(request.headers.get("Cookie") ?? "")?.[1];
  return favouriteSchema.parse(value);
}

/** Keys consist of letters, digits, `-`, `_` and one `/`, so nothing has to be encoded. */
function cookie(value: string, seconds: number, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=/favourites; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
