/**
 * Uploads (Y3): measures what twenty files of 20 MB at once, and malicious files, cost a newly started server. Run alone with: node bench/uploads/run.ts [--files 20] [--unpacked 1500]
 * Measures the memory of the server's process, and separately of the processes that read files. Needs Linux.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { attachmentLimits } from "@farthing/core/attachments/rules.ts";
import { report as reportFigure } from "../figures.ts";
import * as files from "../../apps/server/attachments/hostile-files.testing.ts";

/** The limit for malicious files. Valid files may cost the socket buffers that V8 has not collected yet: about 64 MB, for any number of files. */
const TARGET_MB = 50;
const HONEST_TARGET_MB = 100;
const { values } = parseArgs({
  options: { files: { type: "string", default: "20" }, unpacked: { type: "string", default: "1500" } },
});
const count = Number(values.files);
const folder = await mkdtemp(join(tmpdir(), "farthing-bench-uploads-"));
const server = spawn(process.execPath, [fileURLToPath(new URL("./upload-server.ts", import.meta.url)), folder], {
  stdio: ["ignore", "pipe", "inherit"],
});
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const nextLine = async () => String((await lines.next()).value);
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

try {
  const port = await nextLine();
  const send = async (fileName: string, bytes: Uint8Array) => {
    const { body, headers } = files.multipart([{ fileName, bytes }]);
    return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).text();
  };
  const measure = async () => {
    server.kill("SIGUSR2");
    return JSON.parse(await nextLine()) as { now: number; max: number; maxOfChildren: number };
  };
  const report = async (what: string, work: () => Promise<string[]>, target = TARGET_MB) => {
    const before = (await measure()).now;
    const started = performance.now();
    const answers = await work();
    const { max, maxOfChildren } = await measure();
    const grew = megabytes(max - before);
    console.log(
      `${what}: ${[...new Set(answers)].join(", ")}; ${Math.round(performance.now() - started)} ms; beside the server ${megabytes(maxOfChildren)} MB`,
    );
    reportFigure({ what: `${what}: the server grew by`, value: grew, unit: "MB", target: { atMost: target } });
  };

  const photo = await files.photo();
  await send("me.jpg", photo); // warm up
  const full = Buffer.concat([photo, Buffer.alloc(attachmentLimits.maxBytes - photo.length)]);
  await report(
    `${count} × 20 MB at once, read`,
    () => Promise.all(Array.from({ length: count }, () => send("me.jpg", full))),
    HONEST_TARGET_MB,
  );
  await report(`${count} × (20 MB + 1) at once`, () =>
    Promise.all(Array.from({ length: count }, () => send("me.jpg", Buffer.concat([full, Buffer.alloc(1)])))),
  );
  await report(`20,000 × 20,000 pixels, ${count / 2} at once`, () =>
    Promise.all(Array.from({ length: count / 2 }, () => send("me.png", files.pixelBomb()))),
  );
  await report(`a PDF that unpacks to ${values.unpacked} MB, twice`, async () => {
    const bomb = files.pdfBomb(Number(values.unpacked));
    return Promise.all([send("me.pdf", bomb), send("me.pdf", bomb)]);
  });
  await report("polyglots, renamed SVG and HTML, 0 bytes, ../ and NUL in names", async () =>
    Promise.all([
      send("me.gif", files.scriptGif()),
      send("me.png", files.svg()),
      send("me.jpg", files.html()),
      send("me.jpg", Buffer.alloc(0)),
      send("../../me.jpg", await files.photoPolyglot()),
      send("me\u0000.pdf", await files.polyglotPdf()),
    ]),
  );
} finally {
  server.kill("SIGKILL");
  await once(server, "close");
  await rm(folder, { recursive: true, force: true });
}
