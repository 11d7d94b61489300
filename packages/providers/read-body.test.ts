import { expect, test } from "vitest";
import { endlessAnswer } from "./endless-answer.testing.ts";
import { readBody } from "./read-body.ts";

test("R1 a body is read up to its limit, and characters that two chunks share are whole", async () => {
  const bytes = new TextEncoder().encode("£é€");
  const chunks = () =>
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  expect(await readBody(new Response(chunks()), bytes.length)).toBe("£é€");
  await expect(readBody(new Response(chunks()), bytes.length - 1)).rejects.toThrow(RangeError);
  expect(await readBody(new Response(null), 0)).toBe("");
});

test("R1 a body that never ends is let go at the limit, and one that says it is longer is not read", async () => {
  const { answer, response } = endlessAnswer();
  await expect(readBody(response(), 1_000_000)).rejects.toThrow(RangeError);
  expect(answer.isCancelled).toBe(true);
  expect(answer.takenBytes).toBeLessThan(1_300_000);
  const said = endlessAnswer();
  const longer = new Response(said.response().body, { headers: { "content-length": "1000001" } });
  await expect(readBody(longer, 1_000_000)).rejects.toThrow(RangeError);
  expect(said.answer.isCancelled).toBe(true);
  expect(said.answer.takenBytes).toBeLessThan(200_000);
});
