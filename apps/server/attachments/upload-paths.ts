import { attachmentLimits } from "@farthing/core/attachments/rules.ts";
import { takesAdminUploads } from "@farthing/admin/pages.ts";
import { pageEntries, type PageFacts } from "@farthing/site/pages.ts";

const pathsThatTake = (kind: PageFacts["multipart"]) =>
  new Set<string>(pageEntries.filter(([, { multipart }]) => multipart === kind).map(([path]) => path));

/** One pattern for all: a parameter of an address is one segment. */
const uploadPaths = new RegExp(
  `^(?:${[...pathsThatTake("file")].map((path) => path.replaceAll(/:[a-z]+/g, "[^/]+")).join("|")})$`,
);
const oneClickPaths = pathsThatTake("one-click");

/** Returns whether a post to this address may carry a file. Everywhere else forms are urlencoded and small. */
export function takesUploads(path: string): boolean {
  return uploadPaths.test(path) || takesAdminUploads(path);
}

/**
 * Returns whether mail programs post to this address by themselves to end mails, which they may do as
 * multipart/form-data (RFC 8058). These posts are as small as any form.
 */
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
export const MAX_UPLOAD_BYTES = 4 * attachmentLimits.maxBytes;
