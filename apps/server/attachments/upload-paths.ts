import { attachmentLimits } from "@farthing/core/attachments/rules.ts";

const paths = new Set(["/verification", "/verification/attachment"]);

/** Returns whether a post to this path may contain a file. Other forms are urlencoded and small. */
export function takesUploads(path: string): boolean {
  return paths.has(path);
}

/** Mail programs post here to unsubscribe, and may use multipart/form-data (RFC 8058). These posts are small. */
const oneClickPaths = new Set(["/unsubscribe", "/alerts/stop"]);

export function takesOneClick(path: string): boolean {
  return oneClickPaths.has(path);
}

export function isMultipart(contentType: string | null | undefined): boolean {
  return /^multipart\/form-data\s*;/i.test(contentType ?? "");
}

/**
 * The bytes read of a post with a file. More than is accepted, because a browser that is cut off while it sends shows
 * "connection reset" instead of our error page. Bytes beyond the accepted size are discarded.
 */
export const mostUploadBytes = 4 * attachmentLimits.mostBytes;
