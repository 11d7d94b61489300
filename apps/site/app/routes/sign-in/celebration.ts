import type { Visit } from "../../../server/visit.ts";

/** Tells login-confetti.behaviour.ts on the next page that somebody has just logged in. That page clears it. */
export const CELEBRATION_COOKIE = "farthing_just_logged_in";

/** Adds the cookie that makes the next page throw confetti, once, where the brand has turned it on (T5). */
export function celebrate(visit: Visit, headers: Headers): Headers {
  if (!visit.brand.features.loginConfetti) return headers;
  const secure = visit.origin.startsWith("https:") ? "; Secure" : "";
  headers.append("Set-Cookie", `${CELEBRATION_COOKIE}=1; Max-Age=60; Path=/; SameSite=Lax${secure}`);
  return headers;
}
