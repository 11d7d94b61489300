import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { FarthingWidgetElement } from "./element.ts";
import { FarthingGiftCards } from "./gift-cards-react.ts";
import { FarthingGiftCardsElement } from "./gift-cards-element.ts";
import { FarthingWidget } from "./react.ts";
import { elementsOptions } from "./stripe-card-provider.ts";

test("W1 the React component renders an empty box on the server: no token, no address", () => {
  const html = renderToString(
    createElement(FarthingWidget, {
      token: "tok_secret",
      environment: "dev",
      path: "/pay",
      className: "pay",
      style: { height: 700 },
      onEvent() {},
    }),
  );
  expect(html).toBe('<div style="height:700px" class="pay"></div>');
});

test("G1 the portal's component renders an empty box of 600 px on the server, whatever height its style says", () => {
  const html = renderToString(
    createElement(FarthingGiftCards, {
      token: "tok_secret",
      environment: "dev",
      className: "cards",
      style: { height: 100, margin: 1 },
    }),
  );
  expect(html).toBe('<div style="height:600px;margin:1px;min-height:600px" class="cards"></div>');
});

test("W1 the element can be imported without an HTMLElement", () => {
  expect(typeof globalThis.HTMLElement).toBe("undefined");
  expect(typeof FarthingWidgetElement).toBe("function");
  expect(typeof FarthingGiftCardsElement).toBe("function");
});

test("G3 the provider gets a customer session's secret, but never an ephemeral key", () => {
  const intent = {
    clientSecret: "pi_1_secret_2",
    ephemeralKey: "ek_test_1",
    customerId: "cus_1",
    paymentAmount: 1,
    context: { token: "t" },
  };
  expect(JSON.stringify(elementsOptions(intent))).not.toMatch(/ek_test|cus_1/);
  expect(elementsOptions({ ...intent, ephemeralKey: "cuss_secret_1" })).toMatchObject({
    clientSecret: "pi_1_secret_2",
    customerSessionClientSecret: "cuss_secret_1",
  });
});
