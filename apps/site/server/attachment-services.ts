import type { ReceivedUpload } from "@farthing/core/attachments/rules.ts";

/** How pages take files: the server reads, checks and rewrites them (apps/server/attachments). */
export interface AttachmentServices {
  /** Key of their encryption, and those it had before. */
  key: string;
  oldKeys?: readonly string[];
  /** Reads the one file of a multipart form. Whoever gets a file discards it. */
  receive(request: Request, options: { fieldName: string }): Promise<ReceivedUpload>;
}
