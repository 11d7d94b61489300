import { ownPath } from "../../kit/own-path.ts";

const NAME = "farthing_admin_next";

/** Keeps where the operator wanted to go until the second step is done. */
export function nextCookie(path: string): string {
  return `${NAME}=${encodeURIComponent(path)}; Path=/admin; Max-Age=900; SameSite=Lax; HttpOnly`;
}

export const noNextCookie = `${NAME}=; Path=/admin; Max-Age=0; SameSite=Lax; HttpOnly`;

export function nextIn(request: Request): string {
  const [, value] = new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(request.headers.get("cookie") ?? "") ?? [];
  try {
    return ownPath(decodeURIComponent(value ?? ""));
  } catch {
    return "/admin";
  }
}
