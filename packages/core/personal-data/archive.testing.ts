import { strFromU8, unzipSync } from "fflate";

/** Returns the files of an archive as text, by name. */
export function openArchive(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]));
}
