// node inspect-process.ts <file> <copy> [<type by name>]: checks an uploaded file and writes the copy, in a process of
// its own (inspect-upload.ts).
import { open } from "node:fs/promises";
import { RefusedFileError } from "./refused-file-error.ts";
import { sniffType } from "./sniff-type.ts";

const [from = "", to = "", typeByName = ""] = process.argv.slice(2);
try {
  const type = sniffType(await headOf(from));
  if (type === null) throw new RefusedFileError("not-what-it-says");
  // Phones and messengers name pictures by the wrong type. They don't name documents as pictures.
  if ((type === "application/pdf") !== (typeByName === "application/pdf"))
    throw new RefusedFileError("not-what-it-says");
  // Loading only the reader that is needed halves the start-up time.
  if (type === "application/pdf") await (await import("./rewrite-pdf.ts")).rewritePdf({ from, to });
  else await (await import("./rewrite-image.ts")).rewriteImage(type, { from, to });
  console.log(JSON.stringify({ mediaType: type === "application/pdf" ? type : "image/jpeg" }));
} catch (error) {
  if (!(error instanceof RefusedFileError)) throw error;
  console.log(JSON.stringify({ problem: error.problem }));
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
