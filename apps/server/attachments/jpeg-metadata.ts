import { RefusedFileError } from "./refused-file-error.ts";

/** What the segments start with that change how a picture looks: JFIF's size, colour profiles and Adobe's colour model. */
const keptStarts = new Map([
  [0xe0, "JFIF\0"],
  [0xe2, "ICC_PROFILE\0"],
  [0xee, "Adobe"],
]);

/** The length of JFIF's segment without its thumbnail, from the marker on. */
const JFIF_LENGTH = 18;

/** Whether a marker stands in the compressed picture: a stuffed or a filling byte, or the restart of a row. */
const isInPicture = (marker: number) => marker === 0 || marker === 0xff || isRestart(marker);
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;

/**
 * Returns a JPEG without what it says of itself (M4): Exif with place and camera, XMP, comments, thumbnails, and all that stands after its end. JFIF's
 * size, colour profiles and Adobe's colour model stay. Nothing is decoded. As in viewers, bytes between two segments are skipped, and a picture may lack
 * its end.
 * @throws RefusedFileError where no picture is found
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("ffd8", 0, "hex");
  if (start === -1) throw new RefusedFileError("unreadable");
  const kept: Uint8Array[] = [bytes.subarray(start, start + 2)];
  let hasPicture = false;
  for (let at = start + 2; at + 1 < bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0xff) {
      at += 1;
      continue;
    }
    // These have no length.
    if (marker <= 1 || marker === 0xd8 || isRestart(marker)) {
      at += 2;
      continue;
    }
    if (marker === 0xd9) {
      kept.push(bytes.subarray(at, at + 2));
      break;
    }
    let end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0);
    if (marker === 0xda) {
      hasPicture = true;
      while (end < bytes.length && !(bytes[end] === 0xff && !isInPicture(bytes[end + 1] ?? 0))) end += 1;
    }
    kept.push(cleaned(marker, bytes.subarray(at, end)));
    at = end;
  }
  if (!hasPicture) throw new RefusedFileError("unreadable");
  return Buffer.concat(kept);
}

/** Returns a segment as it is kept: whole, without its thumbnail, or nothing of it. */
function cleaned(marker: number, segment: Uint8Array): Uint8Array {
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  if (marker !== 0xfe && !isApplication) return segment;
  const wanted = keptStarts.get(marker);
  if (wanted === undefined || !Buffer.from(segment.subarray(4)).toString("latin1").startsWith(wanted))
    return segment.subarray(0, 0);
  if (marker !== 0xe0) return segment;
  if (segment.length < JFIF_LENGTH) return segment.subarray(0, 0);
  const jfif = Uint8Array.from(segment.subarray(0, JFIF_LENGTH));
  jfif.set([0, JFIF_LENGTH - 2], 2);
  jfif.set([0, 0], JFIF_LENGTH - 2);
  return jfif;
}
