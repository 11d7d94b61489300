import type { ReceivedUpload } from "@farthing/core/attachments/rules.ts";

/** How pages receive files: the server reads, checks and rewrites them (apps/server/attachments). */
export interface AttachmentServices {
  /** The current encryption key, and earlier ones. */
  key: string;
  oldKeys?: readonly string[];
  /** Reads the one file of a member's multipart form. The caller has to discard it. */
  receive(request: Request, options: { fieldName: string; memberId: string }): Promise<ReceivedUpload>;
}
