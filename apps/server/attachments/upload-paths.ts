import { attachmentLimits } from "@farthing/core/attachments/rules.ts";
import { paths } from "@farthing/core/paths.ts";

const uploadPaths = new Set<string>([paths.verification, paths.verificationAttachment]);

/** Whether a post to this address may carry a file. Everywhere else forms are urlencoded and small. */
export function takesUploads(path: string): boolean {
  return uploadPaths.has(path);
}

/** Where mail programs post by themselves to end mails, which they may do as multipart/form-data (RFC 8058); small, as all forms are. */
const oneClickPaths = new Set<string>([paths.unsubscribe, paths.stopAlert]);

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
export const mostUploadBytes = 4 * attachmentLimits.maxBytes;
