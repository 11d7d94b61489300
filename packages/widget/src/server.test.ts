import { createHmac } from "node:crypto";
import { signWebhook, webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import { describe, expect, test } from "vitest";
import { verifyWebhook, type WebhookDelivery } from "./server.ts";

const SECRET = "whsec_one";
const now = new Date("2026-11-20T10:00:00.000Z");
const seconds = now.getTime() / 1000;
const body = JSON.stringify({
  id: "0199f3c2-0000-7000-8000-000000000001",
  type: "payment.paid",
  createdAt: "2026-11-20T10:00:00.000Z",
  data: { paymentId: "p", reference: "café ☕", amountPence: 1234 },
});
const event = JSON.parse(body) as unknown;

/** Verifies a delivery that is genuine but for what a test changes. */
const verify = (changes: Partial<WebhookDelivery> = {}) =>
  verifyWebhook({ body, signature: signWebhook(SECRET, body, now), secret: SECRET, now, ...changes });
const refused = (error: string) => ({ ok: false, error });
const later = (ms: number) => new Date(now.getTime() + ms);

describe("W10 verifyWebhook", () => {
  test("W10 accepts what the service's sender signs, with a secret of the service", async () => {
    const secret = webhookSecret("a key of the service", { id: "endpoint", version: 2 });
    const signature = signWebhook(secret, body, now);
    expect(await verify({ secret, signature })).toEqual({ ok: true, event });
    const other = webhookSecret("a key of the service", { id: "endpoint", version: 1 });
    expect(await verify({ secret: other, signature })).toEqual(refused("wrong_signature"));
  });

  test("W10 computes HMAC-SHA-256 of the time, a dot and the body: a fixed vector", async () => {
    const vector = {
      body: '{"id":"evt","type":"payment.paid","createdAt":"2026-11-20T10:00:00.000Z","data":{"amountPence":1}}',
      secret: "whsec_vector",
      // printf '1795168800.%s' "$body" | openssl dgst -sha256 -hmac whsec_vector
      signature: "t=1795168800,v1=58005c61c44c7cfb944bf50fc5ab893696dfaa777911e3f3613d1cf9ab0c7172",
      now: new Date(1_795_168_800_000),
    };
    expect(await verifyWebhook(vector)).toMatchObject({ ok: true, event: { id: "evt" } });
  });

  test("W10 takes the body as text, as bytes, as part of a larger buffer and as an ArrayBuffer", async () => {
    const bytes = new TextEncoder().encode(body);
    const larger = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]);
    const part = larger.subarray(6, 6 + bytes.length);
    for (const form of [body, bytes, part, bytes.buffer])
      expect(await verify({ body: form })).toEqual({ ok: true, event });
  });

  test("W10 refuses a body with one byte changed, added or removed", async () => {
    const changed = [body.replace("1234", "1235"), `${body} `, body.slice(0, -1), "", body.replace("☕", "�")];
    for (const one of changed) expect(await verify({ body: one })).toEqual(refused("wrong_signature"));
  });

  test.each([{ length: 1e15 }, 1e15, null, undefined, [1], JSON.parse(body)])(
    "W10 refuses the parsed body %j, and does not throw",
    async (parsed) => {
      expect(await verify({ body: parsed as string })).toEqual(refused("wrong_signature"));
    },
  );

  test("W10 refuses a signature with any one hexadecimal digit changed", async () => {
    const [time = "", hex = ""] = signWebhook(SECRET, body, now).split(",v1=");
    for (let index = 0; index < hex.length; index++) {
      const digit = hex[index] === "0" ? "1" : "0";
      const signature = `${time},v1=${hex.slice(0, index)}${digit}${hex.slice(index + 1)}`;
      expect(await verify({ signature })).toEqual(refused("wrong_signature"));
    }
  });

  test.each([null, undefined, "", " ", []])(
    "W10 says that the signature %j is missing, and does not throw",
    async (signature) => {
      expect(await verify({ signature })).toEqual(refused("missing_signature"));
    },
  );

  const hex = "0".repeat(64);
  test.each([
    "v1",
    "t=1",
    "t=1,v1=",
    "t=1,v1=zz",
    `v1=${hex}`,
    `t=,v1=${hex}`,
    `t=-1,v1=${hex}`,
    `t=1e9,v1=${hex}`,
    `t=NaN,v1=${hex}`,
    `t=1,t=2,v1=${hex}`,
    `t=1,v1=${hex}0`,
    `t=1,v0=${hex}`,
    `t=1,v1=${hex.slice(1)}é`,
    `t=1,${`v1=${hex},`.repeat(100)}`,
    "=,=,=",
    "\0",
  ])("W10 says that the signature %j is malformed", async (signature) => {
    expect(await verify({ signature })).toEqual(refused("malformed_signature"));
  });

  test("W10 accepts a time up to the tolerance before and after now, and none beyond it", async () => {
    for (const distance of [-300_000, 0, 300_000])
      expect(await verify({ now: later(distance) })).toMatchObject({ ok: true });
    for (const distance of [-300_001, 300_001])
      expect(await verify({ now: later(distance) })).toEqual(refused("expired"));
    expect(await verify({ now: later(9_000), toleranceSeconds: 10 })).toMatchObject({ ok: true });
    expect(await verify({ now: later(11_000), toleranceSeconds: 10 })).toEqual(refused("expired"));
  });

  test("W10 refuses every delivery if the tolerance or the time is not a number", async () => {
    expect(await verify({ toleranceSeconds: NaN })).toEqual(refused("expired"));
    expect(await verify({ now: new Date(NaN) })).toEqual(refused("expired"));
  });

  test("W10 a time that was changed after signing is a wrong signature", async () => {
    const signature = signWebhook(SECRET, body, now).replace(String(seconds), String(seconds + 1));
    expect(await verify({ signature })).toEqual(refused("wrong_signature"));
  });

  test("W10 rotation: one of several secrets is enough, and so is one of several signatures", async () => {
    expect(await verify({ secret: ["whsec_new", SECRET] })).toMatchObject({ ok: true });
    expect(await verify({ secret: [SECRET, "whsec_old"] })).toMatchObject({ ok: true });
    expect(await verify({ secret: [undefined, "", SECRET] })).toMatchObject({ ok: true });
    expect(await verify({ secret: ["whsec_new", "whsec_old"] })).toEqual(refused("wrong_signature"));
    const [, second] = signWebhook(SECRET, body, now).split(",");
    const both = `${signWebhook("whsec_new", body, now)},${second}`;
    expect(await verify({ signature: both })).toMatchObject({ ok: true });
    expect(await verify({ signature: both, secret: "whsec_new" })).toMatchObject({ ok: true });
    expect(await verify({ signature: both, secret: "whsec_other" })).toEqual(refused("wrong_signature"));
  });

  test.each([undefined, "", [], [""], [undefined]])("W10 says that the secret %j is none", async (secret) => {
    const key = "";
    const signature = `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`;
    expect(await verify({ secret, signature })).toEqual(refused("no_secret"));
  });

  test.each(["", "null", "[]", "1", "{}", '{"id":"1","type":"x","data":null}', "{", '{"id":1,"type":"x","data":{}}'])(
    "W10 says that the signed body %j is no event",
    async (text) => {
      const result = await verify({ body: text, signature: signWebhook(SECRET, text, now) });
      expect(result).toEqual(refused("malformed_body"));
    },
  );

  test("W10 ignores other schemes and unknown parts, and reads spaces and capital letters", async () => {
    const [time = "", v1 = ""] = signWebhook(SECRET, body, now).split(",");
    const signature = ` v2=abc , ${time} ,x, ${v1.toUpperCase().replace("V1", "v1")} `;
    expect(await verify({ signature })).toMatchObject({ ok: true });
    expect(await verify({ signature: [time, v1] })).toMatchObject({ ok: true }); // Node joins or lists repeated headers
  });
});
