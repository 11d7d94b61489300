import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { receiveMultipart } from "./receive-multipart.ts";

test("P6 S2 a file that can't be written fails its own request only, also before the sender has finished", async () => {
  const folder = await mkdtemp(join(tmpdir(), "farthing-upload-test-"));
  await rm(folder, { recursive: true });
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  // Never closed, so waiting for the end of the form would never end.
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(head + "x".repeat(70_000))),
  });
  const request = new Request("http://one.test/verification", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body,
    duplex: "half",
  } as RequestInit);
  // An unhandled rejection meanwhile fails the whole run.
  await expect(receiveMultipart(request, { folder, fieldName: "file", onFile: () => {} })).rejects.toThrow(/ENOENT/);
});
