import type { AttachmentType } from "@farthing/core/attachments/rules.ts";

const signatures: { type: AttachmentType; starts: number[][] }[] = [
  { type: "image/jpeg", starts: [[0xff, 0xd8, 0xff]] },
  { type: "image/png", starts: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  {
    type: "image/gif",
    starts: [
      [0x47, 0x49, 0x46, 0x38, 0x37, 0x61],
      [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
    ],
  },
  { type: "image/bmp", starts: [[0x42, 0x4d]] },
  // Only at the start. Viewers also search further in, which lets a file be a PDF and something else at once.
  { type: "application/pdf", starts: [[0x25, 0x50, 0x44, 0x46, 0x2d]] },
];

/** Returns the type by the first bytes, or null. It is a hint: the file must also decode as that type. */
export function sniffType(head: Uint8Array): AttachmentType | null {
  const found = signatures.find(({ starts }) => starts.some((start) => start.every((byte, at) => head[at] === byte)));
  return found?.type ?? null;
}
