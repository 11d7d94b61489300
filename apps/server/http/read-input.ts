import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { isForPrograms } from "./problem.ts";
import { problems } from "./problems.ts";
import { isReadableAddress, readableBody } from "./readable-input.ts";
import type { Refuse } from "./refuse.ts";

/**
 * Refuses addresses and programs' bodies that are not text (S2). Pages' bodies are read later, once the post is known
 * to be ours (open-visits.ts).
 */
export function readInput(refuse: Refuse): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (!isReadableAddress(context.req.url)) return refuse(context, problems.unreadableAddress);
    if (!isForPrograms(context.req.path)) return next();
    return (await readBody(context)) ? next() : refuse(context, problems.unreadableBody);
  };
}

/** Reads the body if its type is one that is read as text, and puts it back. Returns false if it is not text. */
export async function readBody(context: Context<AppEnv>): Promise<boolean> {
  const readable = await readableBody(context.req.raw);
  if (readable === null) return false;
  context.req.raw = readable;
  return true;
}
