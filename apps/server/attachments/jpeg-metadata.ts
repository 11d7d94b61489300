const isMetadata = (marker: number) =>
  marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && ![0xe0, 0xe2, 0xee].includes(marker));

/** Whether a marker stands in the compressed picture: a stuffed byte, or the restart of a row. */
const isInPicture = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

/**
 * Returns a JPEG without what it says of itself (M4): Exif with place and camera, XMP, comments, thumbnails, and all that stands after its end. JFIF's
 * size, colour profiles and Adobe's colour model stay: they change how the picture looks. Nothing is decoded. Bytes that are not a whole JPEG come
 * back as they are.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [bytes.subarray(0, 2)];
  for (let at = 2; at + 3 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    let end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0);
    if (marker === 0xda)
      while (end < bytes.length && !(bytes[end] === 0xff && !isInPicture(bytes[end + 1] ?? 0))) end += 1;
    if (!isMetadata(marker)) kept.push(bytes.subarray(at, end));
    at = end;
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return Buffer.concat([...kept, bytes.subarray(at, at + 2)]);
  }
  return bytes;
}
