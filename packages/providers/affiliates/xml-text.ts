import { UnreadableFileError } from "@farthing/core/catalogue-imports/file-record.ts";

/** The encodings that a file may declare, and the decoder of each. By the web's standard, ISO-8859-1 is read as Windows-1252. */
const DECODERS: Readonly<Record<string, string>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  "iso-8859-1": "windows-1252",
  "windows-1252": "windows-1252",
};

/** The start of a file that is read for its byte order mark and its declared encoding, in bytes. */
const START_BYTES = 256;

/**
 * Decodes an XML file's bytes: by its byte order mark (UTF-8, UTF-16) or else by the encoding of its XML declaration, which is UTF-8 without one.
 * @param line returns the line that has been reached, for the error.
 * @throws UnreadableFileError for an empty file, another encoding, and bytes that are not of the encoding.
 */
export async function* decodedXml(chunks: AsyncIterable<Uint8Array>, line: () => number): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let start = new Uint8Array(0);
  const decode = (bytes: Uint8Array | undefined, label: TextDecoder) => {
    try {
      return bytes === undefined ? label.decode() : label.decode(bytes, { stream: true });
    } catch {
      throw new UnreadableFileError(
        `The file is not ${label.encoding.toUpperCase()} text, which it says it is. Save the network's answer as it is, without compression.`,
        line(),
      );
    }
  };
  for await (const chunk of chunks) {
    if (decoder !== null) {
      yield decode(chunk, decoder);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.byteLength < START_BYTES) continue;
    decoder = decoderOf(start);
    yield decode(start, decoder);
  }
  if (start.byteLength === 0) throw new UnreadableFileError("The file is empty (0 bytes). Download it again.", null);
  if (decoder === null) {
    decoder = decoderOf(start);
    yield decode(start, decoder);
  }
  yield decode(undefined, decoder);
}

function decoderOf(start: Uint8Array): TextDecoder {
  const mark = [...start.subarray(0, 2)].map((byte) => byte.toString(16)).join("");
  if (mark === "fffe") return new TextDecoder("utf-16le", { fatal: true });
  if (mark === "feff") return new TextDecoder("utf-16be", { fatal: true });
  if (start[0] === 0 || start[1] === 0)
    throw new UnreadableFileError("The file is UTF-16 without a byte order mark. Save it as UTF-8.", 1);
  const declared =
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']/.exec(
      Buffer.from(start.subarray(0, START_BYTES)).toString("latin1"),
    )?.[1] ?? "utf-8";
  const label = Object.hasOwn(DECODERS, declared.toLowerCase()) ? DECODERS[declared.toLowerCase()] : undefined;
  if (label === undefined)
    throw new UnreadableFileError(
      `The file's encoding, ${JSON.stringify(declared)}, can't be read. Save it as UTF-8 and write encoding="UTF-8" in its first line.`,
      1,
    );
  return new TextDecoder(label, { fatal: true });
}
