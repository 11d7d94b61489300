import { MAX_PIXELS, type AttachmentType } from "@farthing/core/attachments/rules.ts";
import sharp, { type Sharp } from "sharp";
import { readFile } from "node:fs/promises";
import { decodeBmp } from "./decode-bmp.ts";
import { RefusedFileError } from "./refused-file-error.ts";

// Only the readers of libvips for the types that we accept; no cache; one thread is enough.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadPngFile",
    "VipsForeignLoadNsgifFile",
    "VipsForeignLoadGifFile",
  ],
});

const formatOf: Partial<Record<AttachmentType, string>> = {
  "image/jpeg": "jpeg",
  "image/png": "png",
  "image/gif": "gif",
};

/** The longest side of the copy. Print on a payslip stays legible. */
const MAX_SIDE = 3000;

/**
 * Decodes a picture and writes a new JPEG: upright, on white, without metadata, the first frame of an animation.
 * Nothing else of the file is in the copy.
 * @throws RefusedFileError
 */
export async function rewriteImage(type: AttachmentType, { from, to }: { from: string; to: string }): Promise<void> {
  try {
    const picture = type === "image/bmp" ? await openBmp(from) : await open(type, from);
    await picture
      .autoOrient()
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .jpeg({ quality: 85 })
      .toFile(to);
  } catch (error) {
    throw error instanceof RefusedFileError ? error : new RefusedFileError("unreadable", error);
  }
}

async function open(type: AttachmentType, path: string): Promise<Sharp> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true, pages: 1 } as const;
  const { format, width, height } = await sharp(path, { ...options, limitInputPixels: false }).metadata();
  if (format !== formatOf[type]) throw new RefusedFileError("not-what-it-says");
  if (width * height > MAX_PIXELS) throw new RefusedFileError("too-many-pixels");
  return sharp(path, options);
}

async function openBmp(path: string): Promise<Sharp> {
  const { data, width, height } = decodeBmp(await readFile(path));
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: MAX_PIXELS });
}
