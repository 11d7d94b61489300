import type { MiddlewareHandler } from "hono";

/**
 * Refuses posts from other sites' pages. Browsers send the page's origin with every POST, so one that
 * differs is refused. Programs (tests, curl) send none and are allowed.
 */
export const refuseForeignPosts: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header("origin");
  const safe = context.req.method === "GET" || context.req.method === "HEAD";
  if (
    !safe &&
    origin !== undefined &&
    URL.parse(origin)?.host !== (context.req.header("host") ?? new URL(context.req.url).host)
  ) {
    return context.text("This form was sent from another site's page.", 403);
  }
  await next();
};
