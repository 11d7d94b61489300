/** Returns the path if it is one of the admin's; its home otherwise. For "back" and "next" fields, which anybody can write. */
export function ownPath(value: unknown): string {
  if (typeof value !== "string" || value.length > 2_000) return "/admin";
  try {
    const { origin, pathname, search } = new URL(value, "http://admin.invalid");
    const isOwn = origin === "http://admin.invalid" && (pathname === "/admin" || pathname.startsWith("/admin/"));
    return isOwn ? pathname + search : "/admin";
  } catch {
    return "/admin";
  }
}
