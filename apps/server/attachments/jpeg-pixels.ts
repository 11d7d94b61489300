/** Whether a marker starts a frame's header: every SOF. DHT, JPG and DAC share their range. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Returns the pixels of the largest frame of a JPEG, or 0 if none is found. */
export function jpegPixels(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let pixels = 0;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) break;
    if (isFrame(marker)) pixels = Math.max(pixels, view.getUint16(at + 5) * view.getUint16(at + 7));
    at += 2 + view.getUint16(at + 2);
  }
  return pixels;
}
