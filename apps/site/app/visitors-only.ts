import { href, redirect } from "react-router";
import type { Route } from "./+types/visitors-only";
import { visitContext } from "./site-context.ts";

/** The layout of pages on which a visitor becomes a member: sends members who open them to their profile. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request }) => {
    // A form may have been filled in before another tab logged in: its action decides.
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && context.get(visitContext).member) throw redirect(href("/profile"));
  },
];
