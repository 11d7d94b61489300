import { expect, test } from "vitest";
import { readFrameMessage } from "./read-frame-message.ts";
import { readHostMessage } from "./read-host-message.ts";
import { writePaymentComplete, writeRedirectConfig } from "./write-host-message.ts";

const redirect = { paymentSuccess: { templateUrl: "https://shop.example/thanks?order={id}", idPlaceholder: "{id}" } };

test("Z7 REDIRECT_CONFIG has exactly the specified bytes", () => {
  expect(writeRedirectConfig(redirect)).toBe(
    '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{"templateUrl":"https://shop.example/thanks?order={id}","idPlaceholder":"{id}"}},"origin":"react"}',
  );
});

test("Z7 REDIRECT_CONFIG has the same bytes for any order of fields and extra fields in the partner's object", () => {
  const untidy = {
    note: 1,
    paymentSuccess: { secret: "s", idPlaceholder: "{id}", templateUrl: redirect.paymentSuccess.templateUrl },
  };
  expect(writeRedirectConfig(untidy)).toBe(writeRedirectConfig(redirect));
});

test("Z7 STRIPE_PAYMENT_COMPLETE has exactly the specified bytes, with the context unchanged", () => {
  const data =
    '{"type":"STRIPE_PAYMENT_INTENT","payload":{"clientSecret":"a","ephemeralKey":"","customerId":"","paymentAmount":1,"context":{"z":[1,{"é":null}],"token":"t"}}}';
  const message = readFrameMessage(data);
  if (message?.type !== "STRIPE_PAYMENT_INTENT") throw new Error("not read");
  expect(writePaymentComplete(message.payload.context)).toBe(
    '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"z":[1,{"é":null}],"token":"t"}},"origin":"react"}',
  );
});

test("W3 the iframe's side reads these two messages and nothing else", () => {
  expect(readHostMessage(writeRedirectConfig(redirect))).toEqual({ type: "REDIRECT_CONFIG", payload: redirect });
  expect(readHostMessage(writePaymentComplete({ token: "t", n: 1 }))).toEqual({
    type: "STRIPE_PAYMENT_COMPLETE",
    payload: { context: { token: "t", n: 1 } },
  });
  for (const data of [
    '{"type":"RESIZE","payload":{"height":1,"width":1}}',
    '{"type":"REDIRECT_CONFIG","payload":{}}',
    '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{}}}',
    '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{"templateUrl":"https://a.example"}}}',
    '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{"idPlaceholder":"{id}"}}}',
    '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{"templateUrl":1,"idPlaceholder":"{id}"}}}',
    '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{}}',
    '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{}}}',
    '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"token":1}}}',
    '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":"t"}}',
    "{",
    5,
    undefined,
  ]) {
    expect(readHostMessage(data)).toBeUndefined();
  }
});
