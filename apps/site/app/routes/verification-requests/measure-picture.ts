import { type Look, sharpnessOf } from "./picture-hints.ts";

/** The longest side of the copy that is measured: enough to judge it, small enough to be fast. */
const MEASURED_SIDE = 800;

/**
 * Returns size and sharpness of a picture, computed in the browser; null for what it cannot read, for example a PDF.
 */
export async function measurePicture(file: Blob): Promise<Look | null> {
  if (!file.type.startsWith("image/")) return null;
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    const scale = Math.min(1, MEASURED_SIDE / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    if (!pen) return { width, height, sharpness: null };
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const grey = new Uint8Array(data.length / 4);
    for (let pixel = 0; pixel < grey.length; pixel++)
      grey[pixel] =
        0.299 * (data[pixel * 4] ?? 0) + 0.587 * (data[pixel * 4 + 1] ?? 0) + 0.114 * (data[pixel * 4 + 2] ?? 0);
    return { width, height, sharpness: sharpnessOf(grey, canvas.width, canvas.height) };
  } catch {
    return null;
  }
}
