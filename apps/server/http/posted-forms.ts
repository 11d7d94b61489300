import type { HonoRequest } from "hono";
import { isMultipart, takesOneClick, takesUploads } from "../attachments/upload-paths.ts";

/** Returns whether a request posts a file to a page that takes one. */
export function isUpload(request: HonoRequest): boolean {
  return request.method === "POST" && takesUploads(request.path) && isMultipart(request.header("content-type"));
}

/**
 * Returns whether a page takes what this POST sends: a urlencoded form, an upload, or a mail program's one-click post.
 */
export function isTakenByPages(request: HonoRequest): boolean {
  return isUrlencodedForm(request.header("content-type")) || isUpload(request) || isOneClick(request);
}

function isOneClick(request: HonoRequest): boolean {
  return takesOneClick(request.path) && isMultipart(request.header("content-type"));
}

/** What our pages post. A body of another type, or of none, does not come from a page of ours. */
function isUrlencodedForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? "");
}
