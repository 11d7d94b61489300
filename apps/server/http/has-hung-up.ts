import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";

/**
 * Returns whether the client closed the connection before the answer. Such requests are no failures and count apart, as
 * 499 (nginx's code).
 */
export function hasHungUp(context: Context<AppEnv>): boolean {
  return context.env?.outgoing?.destroyed === true;
}
