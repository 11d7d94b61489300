import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { photoWithPlace } from "./hostile-files.testing.ts";
import { withoutMetadata } from "./jpeg-metadata.ts";
import { jpegPixels } from "./jpeg-pixels.ts";

const segment = (marker: number, ...content: (string | number[])[]) => {
  const body = Buffer.concat(
    content.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]), body]);
};
const START = Buffer.from([0xff, 0xd8]);
/** A phone's photo, with these segments before its own. */
const behind = async (...segments: Uint8Array[]) =>
  Buffer.concat([START, ...segments, (await photoWithPlace()).subarray(2)]);
const words = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const pixels = (bytes: Uint8Array) => sharp(bytes, { failOn: "none" }).raw().toBuffer();

describe("M4 what a JPEG says of itself is not kept", () => {
  test("M4 nor where its end is missing", async () => {
    const whole = await photoWithPlace();
    const cut = whole.subarray(0, -2);
    expect(words(cut)).toContain("Ada at home");
    const kept = withoutMetadata(cut);
    expect(words(kept)).not.toMatch(/Exif|Ada at home/);
    expect(await pixels(kept)).toEqual(await pixels(whole));
  });

  test("M4 nor where a byte is astray between two segments, and its size is found", async () => {
    const whole = await photoWithPlace();
    const kept = withoutMetadata(await behind(Buffer.from("x")));
    expect(words(kept)).not.toMatch(/Exif|Ada at home/);
    expect(jpegPixels(kept)).toBe(800);
    expect(await pixels(kept)).toEqual(await pixels(whole));
  });

  test("M4 nor small pictures of it; its size and colours stay", async () => {
    const jfif = (width: number, height: number, thumbnail: string) =>
      segment(0xe0, "JFIF\0", [1, 1, 1, 0, 72, 0, 72, width, height], thumbnail);
    const profile = segment(0xe2, "ICC_PROFILE\0", [1, 1], "colours");
    const kept = withoutMetadata(
      await behind(
        jfif(1, 2, "thumb!"),
        segment(0xe0, "JFXX\0", [0x10], "a small picture"),
        segment(0xe2, "MPF\0", "more pictures"),
        segment(0xee, "Anyone", "else's words"),
        profile,
      ),
    );
    expect(Buffer.from(kept).subarray(2, 20)).toEqual(jfif(0, 0, ""));
    expect(Buffer.from(kept).includes(profile)).toBe(true);
    expect(words(kept)).not.toMatch(/thumb!|a small picture|more pictures|else's words/);
  });

  test("M4 Y3 what has no picture is refused", async () => {
    const whole = await photoWithPlace();
    const scan = whole.indexOf("ffda", 0, "hex");
    for (const bytes of [whole.subarray(0, scan), Buffer.from("no picture"), START])
      expect(() => withoutMetadata(bytes)).toThrow("unreadable");
  });
});
