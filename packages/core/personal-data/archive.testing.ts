import { strFromU8, unzipSync } from "fflate";

/** The files of an archive, as text, by their names. */
export function openArchive(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]));
}
