/** A file of a posted form, as text, with the form's other fields. */
export type ReadFile =
  | { ok: true; fileName: string; text: string; form: FormData }
  /** What is wrong, in words, with the form's other fields, to show them again. Null: the form could not be read. */
  | { ok: false; fault: string; form: FormData | null };

/**
 * Reads a form with a text file in the field `file`, at most `maxBytes` in all: no more than that is ever in memory. For files
 * that operators give to be read at once; nothing is stored.
 * @param orField a field whose text is read where no file was chosen
 */
export async function readFile(
  request: Request,
  { maxBytes, orField }: { maxBytes: number; orField?: string },
): Promise<ReadFile> {
  const fault = `The file is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`;
  let form: FormData;
  try {
    const bytes = await readBytes(request, maxBytes + 10_000);
    if (bytes === null) return { ok: false, fault, form: null };
    form = await new Response(bytes, {
      headers: { "Content-Type": request.headers.get("content-type") ?? "" },
    }).formData();
  } catch {
    return { ok: false, fault: "The upload did not arrive whole. Choose the file again.", form: null };
  }
  const file = form.get("file");
  const typed = orField === undefined ? null : form.get(orField);
  if (typeof typed === "string" && typed.trim() !== "" && !(file instanceof File && file.size > 0))
    return typed.includes("\0") || !typed.isWellFormed()
      ? { ok: false, fault: "The text holds a character that can’t be stored. Type it again.", form }
      : { ok: true, fileName: "", text: typed, form };
  if (!(file instanceof File) || file.size === 0)
    return {
      ...{ ok: false, form },
      fault:
        typeof typed === "string"
          ? "Paste something, or choose a file that is not empty."
          : "Choose a file that is not empty.",
    };
  if (file.size > maxBytes) return { ok: false, fault, form };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new TypeError("NUL");
    return { ok: true, fileName: file.name.replaceAll(/[\p{Cc}\p{Cs}]/gu, "").slice(0, 200), text, form };
  } catch {
    return {
      ...{ ok: false, form },
      fault: "The file is not text in UTF-8. Save it again in UTF-8; in Excel: Save as, CSV UTF-8.",
    };
  }
}

/** Null: there are more. */
async function readBytes({ body }: Request, max: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength;
    // What is too much is read to its end and dropped: a browser that is cut off shows no answer.
    if (size <= max) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > max) return null;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
