import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { readFrameMessage } from "./read-frame-message.ts";

const intent = {
  clientSecret: "pi_1_secret_2",
  ephemeralKey: "",
  customerId: "cus_1",
  paymentAmount: 12.34,
  context: { token: "order-1" },
};
const read = (type: unknown, payload: unknown) => readFrameMessage(JSON.stringify({ type, payload }));

describe("W3 the four shapes", () => {
  const accepted: [string, object][] = [
    ["STRIPE_PAYMENT_INTENT", intent],
    ["STRIPE_PAYMENT_INTENT", { ...intent, color: "#0b5563", context: { token: "t", order: { lines: [1, 2] } } }],
    ["STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: 0.01 }],
    ["STRIPE_PAYMENT_INTENT", { ...intent, somethingNew: true }],
    ["OPEN_URL", { url: "https://shop.example/" }],
    ["OPEN_URL", { url: "https://shop.example/", newTab: true }],
    ["OPEN_URL", { url: "https://shop.example/", newTab: null }],
    ["REDIRECT_PAYMENT", { url: "https://bank.example/", newTab: false }],
    ["RESIZE", { height: 700, width: 300 }],
    ["RESIZE", { identifier: null, height: -50, width: 0 }],
    ["RESIZE", { identifier: "basket", height: 1.5, width: 2, reason: "loaded" }],
    ["NAVIGATION_NO_BACK", { url: "/orders/1" }],
  ];
  test.each(accepted)("%s is read, every field kept: %j", (type, payload) => {
    expect(read(type, payload)).toEqual({ type, payload });
  });

  const refused: [string, unknown, unknown][] = [
    ["no payload", "RESIZE", undefined],
    ["payload null", "RESIZE", null],
    ["payload an array", "RESIZE", [1, 2]],
    ["payload a string", "RESIZE", "700"],
    ["unknown type", "STRIPE_PAYMENT_COMPLETE", { context: { token: "t" } }],
    ["type in lower case", "resize", { height: 1, width: 1 }],
    ["type a number", 1, { height: 1, width: 1 }],
    ["type in an array", ["RESIZE"], { height: 1, width: 1 }],
    ["type null", null, { height: 1, width: 1 }],
    ["type __proto__", "__proto__", { height: 1, width: 1 }],
    ["type constructor", "constructor", { height: 1, width: 1 }],
    ["type hasOwnProperty", "hasOwnProperty", { height: 1, width: 1 }],
    ["height missing", "RESIZE", { width: 1 }],
    ["height a string", "RESIZE", { height: "1", width: 1 }],
    ["identifier a number", "RESIZE", { identifier: 1, height: 1, width: 1 }],
    ["url missing", "OPEN_URL", {}],
    ["url an object", "OPEN_URL", { url: { href: "https://a.example" } }],
    ["newTab a string", "OPEN_URL", { url: "https://a.example", newTab: "yes" }],
    ["newTab a number", "REDIRECT_PAYMENT", { url: "https://a.example", newTab: 1 }],
    ["url null", "NAVIGATION_NO_BACK", { url: null }],
    ["clientSecret missing", "STRIPE_PAYMENT_INTENT", { ...intent, clientSecret: undefined }],
    ["ephemeralKey null", "STRIPE_PAYMENT_INTENT", { ...intent, ephemeralKey: null }],
    ["customerId a number", "STRIPE_PAYMENT_INTENT", { ...intent, customerId: 5 }],
    ["amount zero", "STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: 0 }],
    ["amount negative", "STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: -1 }],
    ["amount a string", "STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: "12.34" }],
    ["amount 1e21", "STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: 1e21 }],
    ["amount a million", "STRIPE_PAYMENT_INTENT", { ...intent, paymentAmount: 1e6 }],
    ["color null", "STRIPE_PAYMENT_INTENT", { ...intent, color: null }],
    ["context missing", "STRIPE_PAYMENT_INTENT", { ...intent, context: undefined }],
    ["context an array", "STRIPE_PAYMENT_INTENT", { ...intent, context: ["token"] }],
    ["context without token", "STRIPE_PAYMENT_INTENT", { ...intent, context: { id: 1 } }],
    ["context.token a number", "STRIPE_PAYMENT_INTENT", { ...intent, context: { token: 1 } }],
  ];
  test.each(refused)("%s is ignored", (_name, type, payload) => {
    expect(read(type, payload)).toBeUndefined();
  });
});

describe("W3 hostile data is ignored without a throw", () => {
  const cases: [string, unknown][] = [
    ["not JSON", "{type:"],
    ["empty", ""],
    ["JSON null", "null"],
    ["JSON array", '[{"type":"RESIZE"}]'],
    ["JSON number", "5"],
    ["an object, not a string", { type: "RESIZE", payload: { height: 1, width: 1 } }],
    ["undefined", undefined],
    ["a typed array", new Uint8Array(3)],
    [
      "amount 1e999, which JSON reads as Infinity",
      JSON.stringify({ type: "STRIPE_PAYMENT_INTENT", payload: intent }).replace("12.34", "1e999"),
    ],
    ["height 1e999", '{"type":"RESIZE","payload":{"height":1e999,"width":1}}'],
    ["deep nesting", "[".repeat(60_000)],
  ];
  test.each(cases)("%s", (_name, data) => {
    expect(readFrameMessage(data)).toBeUndefined();
  });

  test("more than 64 KiB is dropped before it is parsed, just under is read", () => {
    const message = (length: number) => {
      const bare = JSON.stringify({ type: "RESIZE", payload: { height: 1, width: 1, pad: "" } });
      return bare.replace('"pad":""', `"pad":"${"x".repeat(length - bare.length)}"`);
    };
    expect(readFrameMessage(message(65_536))).toBeDefined();
    expect(readFrameMessage(message(65_537))).toBeUndefined();
    expect(readFrameMessage(message(1_048_576))).toBeUndefined();
  });

  test("__proto__ inside is dropped at every depth, other fields stay", () => {
    const data = `{"type":"STRIPE_PAYMENT_INTENT","__proto__":{"a":1},"payload":${JSON.stringify(intent).replace('"context":{', '"__proto__":{"color":"red"},"context":{"__proto__":{"token":"evil"},"order":7,')}}`;
    const message = readFrameMessage(data)!;
    expect(message.payload).toEqual({ ...intent, context: { token: "order-1", order: 7 } });
    expect(Object.hasOwn(message.payload, "__proto__")).toBe(false);
    expect(({} as Record<string, unknown>).color).toBeUndefined();
  });

  test("a field that only __proto__ has is missing", () => {
    expect(readFrameMessage('{"type":"OPEN_URL","payload":{"__proto__":{"url":"https://a.example"}}}')).toBeUndefined();
    expect(readFrameMessage('{"__proto__":{"type":"RESIZE","payload":{"height":1,"width":1}}}')).toBeUndefined();
  });

  describe("on a page whose Object.prototype has been polluted", () => {
    const prototype = Object.prototype as Record<string, unknown>;
    afterEach(() => {
      for (const key of ["url", "type", "payload"]) delete prototype[key];
    });
    test("inherited fields do not count", () => {
      prototype.url = "https://attacker.example";
      prototype.type = "OPEN_URL";
      prototype.payload = { url: "https://attacker.example" };
      expect(readFrameMessage("{}")).toBeUndefined();
      expect(readFrameMessage('{"type":"OPEN_URL","payload":{}}')).toBeUndefined();
    });
  });

  test("no data throws, and every message that is read has a payload of the right shape", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.anything()), (data) => {
        expect(readFrameMessage(data)).toBeUndefined();
      }),
    );
    const types = fc.constantFrom(
      "STRIPE_PAYMENT_INTENT",
      "OPEN_URL",
      "REDIRECT_PAYMENT",
      "RESIZE",
      "NAVIGATION_NO_BACK",
    );
    const payloads = fc.record(
      {
        url: fc.jsonValue(),
        newTab: fc.jsonValue(),
        height: fc.jsonValue(),
        width: fc.jsonValue(),
        identifier: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(types, payloads, (type, payload) => {
        const message = read(type, payload);
        if (message?.type === "RESIZE")
          expect(Number.isFinite(message.payload.height) && Number.isFinite(message.payload.width)).toBe(true);
        else if (message) expect(typeof (message.payload as { url: unknown }).url).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});
