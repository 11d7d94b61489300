import type { Visit } from "../../../server/visit.ts";

/** Read and cleared by login-confetti.tsx on the next page: its only word is "just logged in". */
export const celebrationCookie = "farthing_just_logged_in";

/** Where the brand likes confetti (seed section 8), the answer to a login tells the next page to celebrate, once. */
export function celebrate(visit: Visit, headers: Headers): Headers {
  if (!visit.brand.features.loginConfetti) return headers;
  const secure = visit.origin.startsWith("https:") ? "; Secure" : "";
  headers.append("Set-Cookie", `${celebrationCookie}=1; Max-Age=60; Path=/; SameSite=Lax${secure}`);
  return headers;
}
