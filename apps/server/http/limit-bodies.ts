import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { MAX_UPLOAD_BYTES } from "../attachments/upload-paths.ts";
import { limitBody } from "./fast/limit-body.ts";
import { isUpload } from "./posted-forms.ts";
import { MAX_BODY_BYTES, problems } from "./problems.ts";
import type { Refuse } from "./refuse.ts";

/**
 * Refuses bodies above `MAX_BODY_BYTES` with 413. Uploads stream to the page that takes them, which counts their
 * bytes too (attachments/receive-multipart.ts); here only their Content-Length is checked.
 */
export function limitBodies(refuse: Refuse): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (isUpload(context.req)) {
      const length = Number(context.req.header("content-length") ?? 0);
      return length > MAX_UPLOAD_BYTES ? refuse(context, problems.tooLarge) : next();
    }
    const limited = await limitBody(context.req.raw, MAX_BODY_BYTES);
    if (limited === null) return refuse(context, problems.tooLarge);
    context.req.raw = limited;
    return next();
  };
}
