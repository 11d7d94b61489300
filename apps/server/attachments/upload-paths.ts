import { attachmentLimits } from "@farthing/core/attachments/rules.ts";

const paths = new Set(["/verification", "/verification/attachment"]);

/** Whether a post to this address may carry a file. Everywhere else forms are urlencoded and small. */
export function takesUploads(path: string): boolean {
  return paths.has(path);
}

/** Where mail programs post by themselves to end mails, which they may do as multipart/form-data (RFC 8058); small, as all forms are. */
const oneClickPaths = new Set(["/unsubscribe", "/alerts/stop"]);

export function takesOneClick(path: string): boolean {
  return oneClickPaths.has(path);
}

export function isMultipart(contentType: string | null | undefined): boolean {
  return /^multipart\/form-data\s*;/i.test(contentType ?? "");
}

/**
 * How much is read of a post with a file: more than is taken, because a browser that is cut off in the middle of sending shows "connection
 * reset" and never the page that says why. What is beyond the limit is read and thrown away.
 */
export const mostUploadBytes = 4 * attachmentLimits.mostBytes;
