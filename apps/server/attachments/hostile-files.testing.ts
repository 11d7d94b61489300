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

/** A PDF of one page from the objects that are given, numbered from 4, and what the page says beside its box. */
export function rawPdf(page: string, objects: (string | Buffer)[] = [], catalog = ""): Buffer {
  const all = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]${page}>>`,
    ...objects,
  ];
  const parts = all.flatMap((object, at) => [text(`${at + 1} 0 obj\n`), Buffer.from(object), text("\nendobj\n")]);
  return Buffer.concat([text("%PDF-1.7\n"), ...parts, text(`trailer\n<</Root 1 0 R/Size ${all.length + 1}>>\n%%EOF`)]);
}

/** An object of a PDF that is a stream. */
export function pdfStream(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([text(`<<${entries}/Length ${bytes.length}>>\nstream\n`), bytes, text("\nendstream")]);
}

/** As many objects as it takes, none of which the page needs. */
export function pdfOfObjects(count: number): Buffer {
  return rawPdf(
    "",
    Array.from({ length: count - 3 }, (_, at) => `<</Number ${at}>>`),
  );
}

/** The same, packed into one object stream of a few bytes each. */
export function pdfOfPackedObjects(count: number): Buffer {
  const offsets = Array.from({ length: count }, (_, at) => `${at + 10} ${at * 2}`).join(" ");
  const body = `${offsets} ${"1 ".repeat(count)}`;
  const entries = `/Type/ObjStm/N ${count}/First ${offsets.length + 1}/Filter/FlateDecode`;
  return rawPdf("", [pdfStream(entries, deflateSync(text(body)))]);
}

/** Says in a few bytes that it lists two billion objects. */
export function pdfOfManyReferences(): Buffer {
  return rawPdf("", [pdfStream("/Type/XRef/Size 2000000000/W[0 0 0]/Root 1 0 R", text("x"))]);
}

/** A page whose drawing unpacks to `megabytes` of line ends, through the filters that are named (the last one is FlateDecode's place). */
export function inflatingPdf(megabytes: number, { filter = "/FlateDecode", encode = (packed: Buffer) => packed } = {}) {
  const packed = encode(deflateSync(Buffer.alloc(megabytes * 1024 * 1024, "\n"), { level: 9 }));
  return rawPdf("/Contents 4 0 R", [pdfStream(`/Filter ${filter}`, packed)]);
}

/** LZW codes that each stand for one byte more than the one before: 100 kB of them are 140 MB. */
export function lzwPdf(codes: number): Buffer {
  const bits: string[] = [];
  let width = 9;
  let entries = 0;
  for (let at = 0; at < codes; at += 1) {
    if (entries === 0) {
      bits.push((256).toString(2).padStart(width, "0"));
      width = 9;
    }
    bits.push((entries === 0 ? 10 : 257 + entries).toString(2).padStart(width, "0"));
    entries += 1;
    const next = entries - 1 + 258 + 1;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
    if (entries === 3_800) entries = 0;
  }
  const all = bits.join("").padEnd(Math.ceil(bits.join("").length / 8) * 8, "0");
  const bytes = Buffer.from((all.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return rawPdf("/Contents 4 0 R", [pdfStream("/Filter/LZWDecode", bytes)]);
}

/** One picture, of as many pixels as it says, in a few bytes. */
export const picturePdf = (width: number, height: number) =>
  rawPdf("/Resources<</XObject<</P 4 0 R>>>>", [
    pdfStream(
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 1/ColorSpace/DeviceGray`,
      text("x"),
    ),
  ]);

/** A scan: as many pictures of A4 in colour at 300 dots per inch, without a codec of their own. */
export function scannedPdf(pictures: number): Buffer {
  const [width, height] = [2_480, 3_508];
  const packed = deflateSync(Buffer.alloc(width * height * 3, 0xee));
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode`;
  const names = Array.from({ length: pictures }, (_, at) => `/P${at} ${at + 4} 0 R`).join("");
  return rawPdf(
    `/Resources<</XObject<<${names}>>>>`,
    Array.from({ length: pictures }, () => pdfStream(entries, packed)),
  );
}

/** The same by the header of the JPEG in it, while the document says ten by ten. */
export const pictureHeaderPdf = async (width: number, height: number) => {
  const jpeg = await photo("jpeg", { width: 10, height: 10 });
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(jpeg[at + 1] ?? 0));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return rawPdf("/Resources<</XObject<</P 4 0 R>>>>", [
    pdfStream(
      "/Type/XObject/Subtype/Image/Width 10/Height 10/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
      jpeg,
    ),
  ]);
};

/** Every way to make a viewer do something that is not refused outright: each says `evil-`. */
export const actingPdf = () => {
  const go = (name: string) => `<</S/URI/URI(https://evil-${name}.example/)>>`;
  return rawPdf(
    `/Contents 4 0 R/AA<</O ${go("page")}>>/Annots[5 0 R 6 0 R 7 0 R 9 0 R]/PieceInfo<</evil-piece 1>>/Resources<</XObject<</A 8 0 R>>/Properties<</X<</A ${go("property")}>>>>>>`,
    [
      pdfStream("", text("BT (what the page says) Tj ET")),
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${go("link")}>>`,
      `<</Type/Annot/Subtype/Widget/FT/Tx/V(a filled-in field)/Rect[0 0 9 9]/A ${go("widget")}/AA<</E ${go("enter")}>>>>`,
      `<</Type/Annot/Subtype/Text/Contents(a note)/Rect[0 0 9 9]/A[${go("array")}]/PA ${go("pa")}>>`,
      pdfStream(
        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F(evil-file.pdf)/Page 1>>/Metadata 10 0 R",
        text("q Q"),
      ),
      "<</Type/Annot/Subtype/evil-kind/Rect[0 0 9 9]>>",
      pdfStream("/Type/Metadata", text("evil-metadata")),
    ],
    `/OpenAction ${go("open")}/AA<</WC ${go("close")}>>/URI<</Base(https://evil-base.example/)>>/Outlines<</First<</Title(x)/A ${go("outline")}>>>>/Names<</Dests<</Names[(evil-name) 3 0 R]>>>>/AcroForm<</Fields[6 0 R]/CO[6 0 R]/evil-form 1>>`,
  );
};

/** Forms that draw the next one ten times each, `levels` deep; the last draws a line, or the first one again. */
export function nestedFormsPdf(levels: number, { isEndless = false } = {}): Buffer {
  const form = (level: number) => {
    const next = level < levels - 1 ? level + 1 : isEndless ? 0 : null;
    const entries = `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${next === null ? "" : `/Resources<</XObject<</F#6f ${next + 5} 0 R>>>>`}`;
    return pdfStream(entries, text(next === null ? "0 0 m 9 9 l S" : "/Fo%\nDo ".repeat(10)));
  };
  return rawPdf("/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>", [
    pdfStream("", text("/F Do")),
    ...Array.from({ length: levels }, (_, level) => form(level)),
  ]);
}

/** A tree of pages that leads back to itself, and one that leads to the same page over and over. */
export const endlessPdf = () => text(rawPdf("").toString("latin1").replace("Kids[3 0 R]", "Kids[2 0 R]"));
export const repeatingPdf = () =>
  text(
    rawPdf("")
      .toString("latin1")
      .replace("Kids[3 0 R]", `Kids[${"3 0 R ".repeat(500)}]`),
  );

/** Rubbish that the parser reads again from each of its bytes on: minutes of work, within every limit that can be counted. */
export const tediousPdf = () =>
  Buffer.concat([text("%PDF-1.7\n1 0 obj\n1\nendobj\nx"), Buffer.alloc(4 * 1024 * 1024, "%")]);

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
