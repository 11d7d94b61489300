import { type Favourite, favouriteKey, favouriteSchema } from "@farthing/core/favourites/schema.ts";

const NAME = "favourite_wanted";
const QUARTER_OF_AN_HOUR = 15 * 60;

/**
 * What a visitor pressed the heart of, for as long as it takes to log in. Only their own press in this browser sets it (a POST from a page of ours), and
 * it can do no more than add that one favourite.
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

/** Keys are made of letters, digits, `-`, `_` and one `/`: nothing to encode. */
function cookie(value: string, seconds: number, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=/favourites; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
