import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import type { ReceivedFile } from "../attachments/rules.ts";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { submitProof } from "./submit-proof.server.ts";

export const KEY = "0123456789abcdef".repeat(4);

/** Returns a file as the server streams it, in parts of the given size. */
export function receivedFile(bytes: Buffer, { originalName = "payslip.jpg", partSize = 1024 } = {}): ReceivedFile {
  return {
    originalName,
    mediaType: "image/jpeg",
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest(),
    async *parts() {
      for (let at = 0; at < bytes.length; at += partSize) yield bytes.subarray(at, at + partSize);
    },
  };
}

/** Creates a member with submitted proof, and returns what a decision needs. */
export async function submitted(
  db: Db,
  { brandId, now = NOW, bytes = Buffer.from("the proof") }: { brandId: string; now?: Date; bytes?: Buffer },
) {
  const { id: memberId } = await insertMember(db, { brandId });
  await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", memberId).execute();
  const result = await submitProof(db, {
    brandId,
    memberId,
    proofKind: null,
    file: receivedFile(bytes),
    key: KEY,
    now,
  });
  if (result.outcome !== "submitted") throw new Error(result.outcome);
  return { memberId, publicId: result.publicId };
}
