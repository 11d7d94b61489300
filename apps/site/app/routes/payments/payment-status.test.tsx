import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textOf } from "../../../testing/site.testing.ts";
import { PaymentStatus } from "./payment-status.tsx";

test("W8 while the card form is open, or closed after a press on Pay, the page does not say that nothing was taken", () => {
  const text = textOf(
    renderToStaticMarkup(
      <PaymentStatus
        payment={{ step: "card-form" }}
        partner="Larder Lane"
        button="Pay £34.20"
        onLookAgain={() => {}}
        onStartOver={null}
      />,
    ),
  );
  expect(text).not.toContain("Nothing");
  expect(text).toContain("No payment has arrived yet.");
  expect(text).toContain("press Pay £34.20 to open it again: this payment can’t be taken twice");
});

test.each([
  ["card-form-closed", "The card form is closed", "No payment has arrived yet."],
  ["attempt-failed", "The last attempt did not go through", "declined it"],
] as const)(
  "W8 %s: the page says so, and how to go on, and does not say that nothing was taken",
  (step, title, cause) => {
    const text = textOf(
      renderToStaticMarkup(
        <PaymentStatus
          payment={{ step }}
          partner="Larder Lane"
          button="Pay"
          onLookAgain={() => {}}
          onStartOver={null}
        />,
      ),
    );
    expect(text).toContain(title);
    expect(text).toContain(cause);
    expect(text).toContain("Press Pay to");
    expect(text).toContain("this payment can’t be taken twice");
    expect(text).not.toContain("Nothing");
  },
);

test("W8 a payer who has come back from their bank is told that the payment is being confirmed, as nothing proves that it is paid, and is offered no second payment of a fixed price", () => {
  const text = textOf(
    renderToStaticMarkup(
      <PaymentStatus
        payment={{ step: "returned" }}
        partner="Larder Lane"
        button="Pay"
        onLookAgain={() => {}}
        onStartOver={null}
      />,
    ),
  );
  expect(text).toContain("Your payment is being confirmed");
  expect(text).not.toContain("have paid");
  expect(text).toContain("Please don’t pay again");
  expect(text).not.toContain("another payment");
});

test.each([0, 401, 409, 422, 429, 503])(
  "W8 a payment that is refused with %i when it is begun again is not said to have taken nothing: the one before may be paid",
  (status) => {
    const text = textOf(
      renderToStaticMarkup(
        <PaymentStatus
          payment={{ step: "refused", status }}
          partner="Larder Lane"
          button="Pay £34.20"
          onLookAgain={() => {}}
          onStartOver={null}
        />,
      ),
    );
    expect(text).toContain("The payment could not be started");
    expect(text).not.toContain("Nothing");
  },
);
