import { looks, type Look } from "../../shell-context.ts";

const NAME = "farthing_admin_look";

/** Returns the colours that the operator chose in this browser. */
export function lookOf(request: Request): Look {
  const [, value] = new RegExp(`(?:^|;\\s*)${NAME}=(\\w+)`).exec(request.headers.get("cookie") ?? "") ?? [];
  return looks.find((look) => look === value) ?? "auto";
}

export function lookCookie(look: Look): string {
  return `${NAME}=${look}; Path=/admin; Max-Age=31536000; SameSite=Lax; HttpOnly`;
}
