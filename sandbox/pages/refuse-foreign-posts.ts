import type { MiddlewareHandler } from "hono";

/**
 * Another site's page must not press this sandbox's buttons: browsers name the page's origin with every POST, so one that
 * differs is refused. Programs (tests, curl) name none and pass.
 */
export const refuseForeignPosts: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header("origin");
  const safe = c.req.method === "GET" || c.req.method === "HEAD";
  if (!safe && origin !== undefined && URL.parse(origin)?.host !== (c.req.header("host") ?? new URL(c.req.url).host)) {
    return c.text("This form was sent from another site's page.", 403);
  }
  await next();
};
