import { href, redirect } from "react-router";
import { pagePath } from "./ui/page-head/page-path.ts";

/**
 * Returns a redirect to the login, which leads on to `next`. The answer to a form is 303, so that the browser continues
 * with GET. The note tells why the login is shown.
 */
export function loginRedirect(request: Request, next: string, note?: "not-sent"): Response {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return redirect(pagePath(href("/login"), { next, note }), isRead ? 302 : 303);
}
