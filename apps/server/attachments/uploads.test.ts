import { ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { attachmentLimits, type ReceivedUpload } from "@farthing/core/attachments/rules.ts";
import { newId } from "@farthing/db/uuid.ts";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  actingPdf,
  animatedGif,
  attachingPdf,
  bitmap,
  endlessPdf,
  escapedScriptPdf,
  html,
  inflatingPdf,
  launchingPdf,
  linkingPdf,
  lockedPdf,
  longPdf,
  lzwPdf,
  nestedFormsPdf,
  multipart,
  pdf,
  pdfBomb,
  pdfOfManyReferences,
  pdfOfObjects,
  pdfOfPackedObjects,
  photo,
  photoPolyglot,
  photoWithPlace,
  pictureHeaderPdf,
  picturePdf,
  pixelBomb,
  polyglotPdf,
  remotePdf,
  repeatingPdf,
  scannedPdf,
  scriptedPdf,
  scriptGif,
  svg,
  tediousPdf,
  type UploadPart,
} from "./hostile-files.testing.ts";
import { inspectUpload } from "./inspect-upload.ts";
import { receiveMultipart } from "./receive-multipart.ts";
import { openUploads, type Uploads } from "./open-uploads.ts";

let dataDir: string;
let uploads: Uploads;
const logger = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "farthing-uploads-"));
  uploads = await openUploads({ dataDir, logger });
});
afterAll(() => rm(dataDir, { recursive: true }));

async function send(parts: UploadPart[], fields?: Record<string, string>): Promise<ReceivedUpload> {
  const { body, headers } = multipart(parts, fields);
  const request = new Request("http://club.example/verification", { method: "POST", body, headers });
  return uploads.receive(request, { fieldName: "attachment", memberId: newId() });
}

async function problemOf(fileName: string, bytes: Uint8Array): Promise<string> {
  const result = await send([{ fileName, bytes }]);
  if (result.outcome === "refused") return result.problem;
  await result.discard();
  return "taken";
}

async function take(fileName: string, bytes: Uint8Array) {
  const result = await send([{ fileName, bytes }], { proof_kind: "payslip" });
  if (result.outcome === "refused") throw new Error(`refused: ${result.problem}`);
  const chunks: Uint8Array[] = [];
  for await (const part of result.file.parts()) chunks.push(part);
  await result.discard();
  return { ...result.file, fields: result.fields, bytes: Buffer.concat(chunks) };
}

const toHex = (bytes: Buffer) => Buffer.from(`${bytes.toString("hex")}>`);
const leftBehind = () => readdir(join(dataDir, "uploads"));

describe("accepted files", () => {
  test.each([
    ["me.jpeg", () => photo("jpeg")],
    ["me.JPG", () => photo("jpeg")],
    ["me.PnG", () => photo("png")],
    ["me.gif", () => photo("gif")],
    ["me.bmp", async () => bitmap()],
  ])("M4 Y3 %s is decoded and written as a new JPEG", async (name, make) => {
    const taken = await take(name, await make());
    expect(taken.mediaType).toBe("image/jpeg");
    expect(taken.originalName).toBe(name);
    expect((await sharp(taken.bytes).metadata()).format).toBe("jpeg");
    expect(taken.size).toBe(taken.bytes.length);
    expect(taken.fields).toEqual({ proof_kind: "payslip" });
  });

  test("M4 a PDF stays a PDF, without its links", async () => {
    for (const file of [await pdf(), await linkingPdf()]) {
      const taken = await take("payslip.PDF", file);
      expect(taken.mediaType).toBe("application/pdf");
      expect(taken.bytes.subarray(0, 5).toString()).toBe("%PDF-");
      expect(taken.bytes.toString("latin1")).not.toMatch(/\/(URI|OpenAction)/);
      expect((await PDFDocument.load(taken.bytes)).getPageCount()).toBe(1);
    }
  });

  test("M4 the pictures of a PDF keep neither place, camera nor comment, however they are packed, and look as before", async () => {
    const phone = await photoWithPlace();
    const behind = Buffer.concat([phone, Buffer.from("written behind the end")]);
    const file = await pdf(async (document) => {
      const page = document.addPage();
      for (const picture of [phone, behind]) page.drawImage(await document.embedJpg(picture));
      const packed = document.context.stream(deflateSync(phone), {
        ...{ Type: "XObject", Subtype: "Image", Width: 40, Height: 20, ColorSpace: "DeviceRGB", BitsPerComponent: 8 },
        Filter: ["FlateDecode", "DCTDecode"],
        DecodeParms: [null, null],
      });
      page.node.setXObject(PDFName.of("Packed"), document.context.register(packed));
    });
    expect(file.toString("latin1")).toContain("Ada at home");
    const { bytes } = await take("payslip.pdf", file);
    const kept = bytes.toString("latin1");
    for (const words of ["Exif", "Ada at home", "written behind the end"]) expect(kept).not.toContain(words);
    const pictures = (await PDFDocument.load(bytes)).context
      .enumerateIndirectObjects()
      .flatMap(([, object]) =>
        object instanceof PDFRawStream && object.dict.get(PDFName.of("Subtype")) === PDFName.of("Image")
          ? [object]
          : [],
      );
    expect(pictures).toHaveLength(3);
    for (const picture of pictures) {
      const { data, info } = await sharp(picture.contents).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([40, 20]);
      expect(data).toEqual(await sharp(phone).raw().toBuffer());
    }
  });

  test("Y3 only the pages, notes and filled-in fields of a PDF with actions, links and metadata are kept", async () => {
    const { bytes } = await take("payslip.pdf", actingPdf());
    const kept = bytes.toString("latin1");
    expect(kept).not.toMatch(/evil-/);
    expect(kept).not.toMatch(/\/(AA|PA|OpenAction|URI|S|Outlines|Names|Metadata|PieceInfo|Ref)[ \n/<[(]/);
    for (const words of ["what the page says", "a filled-in field", "a note"]) expect(kept).toContain(words);
    // A picture may be called A: that is a name of its own, not an action.
    expect(kept).toMatch(/\/XObject\s*<<\s*\/A 8 0 R/);
  });

  test.each<[string, () => Uint8Array]>([
    ["19,000 objects", () => pdfOfObjects(19_000)],
    ["15,000 objects in one stream", () => pdfOfPackedObjects(15_000)],
    ["a page that unpacks to 10 MB", () => inflatingPdf(10)],
    ["the same behind two filters", () => inflatingPdf(10, { filter: "[/ASCIIHexDecode/FlateDecode]", encode: toHex })],
    ["a page in LZW", () => lzwPdf(4_000)],
    ["a page of 600 dots per inch", () => picturePdf(4_960, 7_016)],
    ["forms in forms", () => nestedFormsPdf(5)],
    ["a scan of twenty pages in colour", () => scannedPdf(20)],
  ])("Y3 a PDF near the limits is accepted: %s", async (_, make) => {
    expect((await take("payslip.pdf", make())).mediaType).toBe("application/pdf");
  });

  test("Y3 a photo loses its location and author, and is upright", async () => {
    const { bytes } = await take("me.jpg", await photoWithPlace());
    const { exif, width, height } = await sharp(bytes).metadata();
    expect(exif).toBeUndefined();
    expect({ width, height }).toEqual({ width: 20, height: 40 });
  });

  test("Y3 only the first frame of an animation is kept", async () => {
    const { bytes } = await take("me.gif", await animatedGif());
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(60);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  });

  test("Y3 bytes around the pages of a PDF, or after a photo, are not in the copy", async () => {
    const page = await take("payslip.pdf", await polyglotPdf());
    expect(page.bytes.toString("latin1")).not.toMatch(/polyglot|<script|PK\u0003\u0004/);
    const picture = await take("me.jpg", await photoPolyglot());
    expect(picture.bytes.toString("latin1")).not.toContain("<script");
  });

  test("M4 a picture with the extension of another type is accepted as its real type", async () => {
    expect((await take("me.png", await photo("jpeg"))).mediaType).toBe("image/jpeg");
  });
});

describe("refused files", () => {
  test.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ["0 bytes", "me.jpg", () => Buffer.alloc(0), "too-small"],
    ["a byte too many", "me.jpg", () => Buffer.alloc(attachmentLimits.maxBytes + 1), "too-large"],
    ["a file named as a script", "run.exe", () => Buffer.from("MZ"), "invalid-type"],
    ["no extension", "me", () => photo(), "invalid-type"],
    ["an SVG", "me.svg", svg, "invalid-type"],
    ["a renamed SVG", "me.png", svg, "not-what-it-says"],
    ["a renamed web page", "me.jpg", html, "not-what-it-says"],
    ["a PDF named as a picture", "me.jpg", () => pdf(), "not-what-it-says"],
    ["a picture named as a PDF", "me.pdf", () => photo(), "not-what-it-says"],
    ["a GIF that is a script", "me.gif", scriptGif, "unreadable"],
    ["half a photo", "me.jpg", async () => (await photo()).subarray(0, 400), "unreadable"],
    ["a bomb of pixels", "me.png", pixelBomb, "too-many-pixels"],
    [
      "a BMP with a huge number of pixels",
      "me.bmp",
      () => bitmap({ width: 20_000, height: 20_000 }),
      "too-many-pixels",
    ],
    ["a BMP shorter than it says", "me.bmp", () => bitmap({ width: 200, height: 200 }), "unreadable"],
    ["a compressed BMP", "me.bmp", () => bitmap({ compression: 1 }), "old-bitmap"],
    ["a PDF with a script", "me.pdf", scriptedPdf, "pdf-active"],
    ["a PDF whose script is spelled with escapes", "me.pdf", escapedScriptPdf, "pdf-active"],
    ["a PDF that starts a program", "me.pdf", launchingPdf, "pdf-active"],
    ["a PDF that opens another machine's file", "me.pdf", remotePdf, "pdf-active"],
    ["a PDF with an attached file", "me.pdf", attachingPdf, "pdf-active"],
    ["a locked PDF", "me.pdf", lockedPdf, "pdf-locked"],
    ["a PDF of 21 pages", "me.pdf", () => longPdf(21), "pdf-too-long"],
    ["a PDF of 300,000 objects", "me.pdf", () => pdfOfObjects(300_000), "pdf-too-complex"],
    ["a PDF of 300,000 objects in one stream", "me.pdf", () => pdfOfPackedObjects(300_000), "pdf-too-complex"],
    ["a PDF that says it lists two billion objects", "me.pdf", pdfOfManyReferences, "pdf-too-complex"],
    ["a PDF with a page that unpacks to 500 MB", "me.pdf", () => inflatingPdf(500), "pdf-too-complex"],
    [
      "the same behind two filters",
      "me.pdf",
      () => inflatingPdf(500, { filter: "[/AHx/Fl]", encode: toHex }),
      "pdf-too-complex",
    ],
    [
      "the same, compressed twice",
      "me.pdf",
      () => inflatingPdf(500, { filter: "[/FlateDecode/FlateDecode]", encode: (packed) => deflateSync(packed) }),
      "pdf-too-complex",
    ],
    ["a PDF with a page that unpacks to 30 MB by LZW", "me.pdf", () => lzwPdf(16_000), "pdf-too-complex"],
    ["a PDF with an unknown filter", "me.pdf", () => inflatingPdf(1, { filter: "/Rot13" }), "unreadable"],
    ["a PDF with a picture of 400 million pixels", "me.pdf", () => picturePdf(20_000, 20_000), "too-many-pixels"],
    [
      "a PDF with a JPEG that hides how large it is",
      "me.pdf",
      () => pictureHeaderPdf(20_000, 20_000),
      "too-many-pixels",
    ],
    [
      "a PDF of forms that draw forms, ten times ten levels deep",
      "me.pdf",
      () => nestedFormsPdf(11),
      "pdf-too-complex",
    ],
    ["a PDF of a form that draws itself", "me.pdf", () => nestedFormsPdf(3, { isEndless: true }), "pdf-too-complex"],
    ["a PDF whose pages form a circle", "me.pdf", endlessPdf, "unreadable"],
    ["a PDF that shows one page 500 times", "me.pdf", repeatingPdf, "unreadable"],
    ["a PDF after other bytes", "me.pdf", async () => Buffer.concat([html(), await pdf()]), "not-what-it-says"],
    ["only a PDF's first line", "me.pdf", () => Buffer.from("%PDF-1.7\n"), "unreadable"],
  ])("Y3 %s", async (_, name, make, problem) => {
    expect(await problemOf(name, await make())).toBe(problem);
    expect(await leftBehind()).toEqual([]);
  });

  test("Y3 a PDF that unpacks to gigabytes is refused, and this process does not grow", async () => {
    const bomb = pdfBomb(900);
    expect(bomb.length).toBeLessThan(attachmentLimits.maxBytes);
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    expect(await problemOf("me.pdf", bomb)).toBe("pdf-too-complex");
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024);
    expect(await leftBehind()).toEqual([]);
  });

  test("Y3 a PDF that would take minutes is stopped at the limit of processor time", async () => {
    const folder = await mkdtemp(join(tmpdir(), "farthing-tedious-"));
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    await writeFile(from, tediousPdf());
    const ended: string[] = [];
    const options = { onKilled: (why: string) => ended.push(why), cpuSeconds: 2 };
    const inspection = await inspectUpload({ from, to, folder, originalName: "me.pdf" }, options);
    expect(inspection).toEqual({ outcome: "refused", problem: "unreadable" });
    expect(ended).toEqual(["cpu"]);
    await rm(folder, { recursive: true });
  }, 60_000);

  test("M4 a form without a file, with an empty or another field, or with two files is refused", async () => {
    const file = { fileName: "me.jpg", bytes: await photo() };
    const problems = await Promise.all(
      [
        [],
        [{ fileName: "", bytes: Buffer.alloc(0) }],
        [{ ...file, name: "other" }],
        [file, { ...file, fileName: "two.jpg" }],
        [file, file, file],
      ].map(async (parts) => {
        const result = await send(parts);
        return result.outcome === "refused" ? result.problem : "taken";
      }),
    );
    expect(problems).toEqual(["missing", "missing", "missing", "several", "several"]);
    expect(await leftBehind()).toEqual([]);
  });

  test("M4 a body that is not a multipart form, has no boundary or is incomplete is refused", async () => {
    const { body, headers } = multipart([{ fileName: "me.jpg", bytes: await photo() }]);
    const requests = [
      { body: "attachment=me.jpg", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      { body, headers: { "Content-Type": "multipart/form-data; nothing=here" } },
      { body: body.subarray(0, 500), headers },
    ];
    for (const init of requests) {
      const request = new Request("http://club.example/verification", { method: "POST", ...init });
      expect((await uploads.receive(request, { fieldName: "attachment", memberId: newId() })).outcome).toBe("refused");
    }
    expect(await leftBehind()).toEqual([]);
  });
});

describe("checks that are killed", () => {
  /** Kills the check of an upload when it has begun to write the copy, as the system does when memory is short. */
  async function killCheck(folder: string): Promise<void> {
    const [path, pid] = await vi.waitFor(
      async () => {
        const [name] = await readdir(folder);
        const of = name && (await findCheck(join(folder, name)));
        if (!of) throw new Error("No check runs.");
        return [join(folder, name), of] as const;
      },
      { timeout: 20_000 },
    );
    await writeFile(`${path}-copy`, "half a copy");
    process.kill(pid, "SIGKILL");
  }

  async function findCheck(path: string): Promise<number | null> {
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (command.split("\0").includes(path)) return Number(pid);
    }
    return null;
  }

  test.runIf(process.platform === "linux").each([
    ["the file is refused", () => {}, { outcome: "refused", problem: "unreadable" }],
    [
      "noting it fails",
      () => {
        throw new Error("The log is full.");
      },
      new Error("The log is full."),
    ],
  ])("Y3 when a check is killed and %s, neither the file nor its half copy is left", async (_, warn, expected) => {
    const folder = await mkdtemp(join(tmpdir(), "farthing-killed-check-"));
    const own = await openUploads({ dataDir: folder, logger: { ...logger, warn } });
    const { body, headers } = multipart([{ fileName: "me.pdf", bytes: tediousPdf() }]);
    const request = new Request("http://club.example/verification", { method: "POST", body, headers });
    const [result] = await Promise.all([
      own.receive(request, { fieldName: "attachment", memberId: newId() }).catch((error: unknown) => error),
      killCheck(join(folder, "uploads")),
    ]);
    expect(result).toEqual(expected);
    expect(await readdir(join(folder, "uploads"))).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

test("P6 Y3 a check that can't be started fails its own upload only: no file handle is left for its output", async () => {
  // As Node answers EMFILE: a process without streams, whose error comes a moment later.
  const child = new ChildProcess();
  const fault = Object.assign(new Error("spawn /bin/sh EMFILE"), { code: "EMFILE" });
  const start = () => {
    process.nextTick(() => child.emit("error", fault));
    return child;
  };
  const folder = join(dataDir, "uploads");
  const file = { from: join(folder, "a"), to: join(folder, "b"), folder, originalName: "me.jpg" };
  // An error that nobody hears fails the whole run.
  await expect(inspectUpload(file, { onKilled() {}, start })).rejects.toBe(fault);
});

test("P6 Y3 where noting that a check took too long fails, its own upload fails only", async () => {
  const fault = new Error("The log is full.");
  const start = () => spawn("/bin/sh", ["-c", "exec sleep 300"], { stdio: ["ignore", "pipe", "ignore"] });
  const onKilled = (why: string) => {
    throw why === "time" ? fault : new Error(why);
  };
  const folder = join(dataDir, "uploads");
  const file = { from: join(folder, "a"), to: join(folder, "b"), folder, originalName: "me.jpg" };
  // An error that nobody hears fails the whole run.
  await expect(inspectUpload(file, { onKilled, maxMs: 1, start })).rejects.toBe(fault);
});

describe("uploads that stall", () => {
  /** An upload of which nothing more arrives after its first bytes, until it is broken off. */
  function stalledPost() {
    const { body, headers } = multipart([{ fileName: "me.jpg", bytes: Buffer.alloc(1_000) }]);
    let breakOff = () => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(body.subarray(0, 500));
        breakOff = () => controller.error(new Error("The sender went away."));
      },
    });
    const init = { method: "POST", body: stream, headers, duplex: "half" } as RequestInit;
    return { request: new Request("http://club.example/verification", init), breakOff };
  }

  test("M4 C7 R1 a member has two uploads at a time: those that stall keep no other member from uploading", async () => {
    const memberId = newId();
    const stalled = Array.from({ length: 16 }, stalledPost);
    const results = stalled.map(({ request }) => uploads.receive(request, { fieldName: "attachment", memberId }));
    expect(await problemOf("me.jpg", await photo())).toBe("taken");
    expect(await Promise.all(results.slice(2))).toEqual(
      Array.from({ length: 14 }, () => ({ outcome: "refused", problem: "too-many-at-once" })),
    );
    for (const { breakOff } of stalled) breakOff();
    const brokenOff = { outcome: "refused", problem: "broken-off" };
    expect(await Promise.all(results.slice(0, 2))).toEqual([brokenOff, brokenOff]);

    const { body, headers } = multipart([{ fileName: "me.jpg", bytes: await photo() }]);
    const request = new Request("http://club.example/verification", { method: "POST", body, headers });
    const result = await uploads.receive(request, { fieldName: "attachment", memberId });
    expect(result.outcome, "once they have ended").toBe("received");
    if (result.outcome === "received") await result.discard();
    expect(await leftBehind()).toEqual([]);
  });

  test("M4 R1 an upload of which nothing more arrives is broken off", async () => {
    const { request } = stalledPost();
    const folder = join(dataDir, "uploads");
    const paths: string[] = [];
    const result = await receiveMultipart(request, {
      ...{ folder, fieldName: "attachment", stalledMs: 1 },
      onFile: (path) => paths.push(path),
    });
    expect(result).toEqual({ outcome: "refused", problem: "broken-off" });
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    expect(await leftBehind()).toEqual([]);
  });
});

describe("names", () => {
  test.each([
    ["../../../etc/passwd.jpg", "passwd.jpg"],
    ["C:\\\\Users\\\\ada\\\\me.jpg", "me.jpg"],
    ["me\u0000.jpg", "me.jpg"],
    ["run.exe\u0000.jpg", "run.exe.jpg"],
    ["\u202egpj.me.jpg", "gpj.me.jpg"],
    ["résumé été.jpg", "résumé été.jpg"],
    [`${"a".repeat(400)}.jpg`, `${"a".repeat(180)}…${"a".repeat(15)}.jpg`],
  ])(
    "Y3 a name is data: it is shown without folders and invisible characters, and is never a path (%#)",
    async (sent, shown) => {
      expect((await take(sent, await photo())).originalName).toBe(shown);
      expect(await leftBehind()).toEqual([]);
    },
  );

  test("Y3 during the check a file is in a private folder, under a random name", async () => {
    const { mode } = await stat(join(dataDir, "uploads"));
    expect(mode & 0o777).toBe(0o700);
    const result = await send([{ fileName: "me.jpg", bytes: await photo() }]);
    const [name = ""] = await leftBehind();
    expect(name).toMatch(/^[0-9a-f]{36}-copy$/);
    if (result.outcome === "received") await result.discard();
    expect(await leftBehind()).toEqual([]);
  });
});

test("Y3 twenty concurrent uploads of 20 MB grow this process by at most 50 MB, and leave nothing behind", async () => {
  const size = attachmentLimits.maxBytes;
  const { body: small, headers } = multipart([{ fileName: "me.jpg", bytes: Buffer.alloc(0) }]);
  const at = small.indexOf("\r\n\r\n") + 4;
  const chunk = Buffer.alloc(64 * 1024, 7);
  // The sender's side makes its bytes as it goes: what grows is ours.
  const streamed = () => {
    let sent = -1;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === -1) controller.enqueue(small.subarray(0, at));
        else if (sent < size) controller.enqueue(chunk.subarray(0, Math.min(chunk.length, size - sent)));
        else {
          controller.enqueue(small.subarray(at));
          return controller.close();
        }
        sent = sent === -1 ? 0 : sent + chunk.length;
      },
    });
  };
  const type = headers["Content-Type"];
  const post = () =>
    new Request("http://club.example/verification", {
      method: "POST",
      body: streamed(),
      headers: { "Content-Type": type },
      duplex: "half",
    } as RequestInit);
  await uploads.receive(post(), { fieldName: "attachment", memberId: newId() });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let max = before;
  const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 10);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => uploads.receive(post(), { fieldName: "attachment", memberId: newId() })),
  );
  clearInterval(watch);
  expect(new Set(results.map((result) => (result.outcome === "refused" ? result.problem : "taken")))).toEqual(
    new Set(["not-what-it-says"]),
  );
  console.info(`20 × 20 MB at once: grew by ${Math.round((max - before) / 1024 / 1024)} MB`);
  expect(max - before).toBeLessThan(50 * 1024 * 1024);
  expect(await leftBehind()).toEqual([]);
});
