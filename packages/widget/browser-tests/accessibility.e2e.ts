import AxeBuilder from "@axe-core/playwright";
import { clickInFrame } from "./click-in-frame.ts";
import { expect, redirect, test } from "./partner-page.ts";

test("U1 axe finds nothing on the open modal before, during and after a declined payment", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { showPaymentErrors: true });
  await partnerPage.askForPayment(frame);
  const violations = async () => {
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => one.effect?.getTiming().iterations !== Infinity)
          .map((one) => one.finished),
      ),
    );
    return (await new AxeBuilder({ page }).include(".farthing-modal").exclude(".__PrivateStripeElement").analyze())
      .violations;
  };
  expect(await violations()).toEqual([]);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect(partnerPage.payButton).toBeDisabled();
  expect(await violations()).toEqual([]);
  await page.evaluate(() => window.answerCard?.());
  await expect(partnerPage.dialog.getByRole("alert")).not.toBeEmpty();
  expect(await violations()).toEqual([]);
});

test("U1 the frame has a title", async ({ partnerPage, page }) => {
  await partnerPage.mounted();
  await expect(page.locator("iframe").first()).toHaveAttribute("title", /\w/);
});

test("W7 on opening, the dialog has the focus and a name, and the page behind is inert", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await clickInFrame(frame.locator("#pay"));
  await expect(partnerPage.dialog).toBeFocused();
  await expect(partnerPage.dialog).toHaveAttribute("aria-modal", "true");
  for (const rest of ["header", "main", "footer"]) await expect(page.locator(rest)).toHaveJSProperty("inert", true); // for assistive technology
  await page.evaluate(() => document.querySelector<HTMLElement>("#own-button")!.focus());
  await expect(partnerPage.dialog).toBeFocused(); // and not for the keyboard

  // The second time, the provider's frame exists before the modal. It must not become inert.
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const wrapper = document.body.appendChild(document.createElement("div"));
    wrapper.id = "provider-wrapper";
    wrapper.append(Object.assign(document.createElement("iframe"), { name: "__privateStripeFrame9" }));
  });
  await partnerPage.askForPayment(frame);
  await expect(page.locator("main")).toHaveJSProperty("inert", true);
  await expect(page.locator("iframe[name=__privateStripeController1]")).toHaveJSProperty("inert", false);
  await expect(page.locator("#provider-wrapper")).toHaveJSProperty("inert", false);
});

test("W7 Tab and Shift+Tab stay inside the dialog, through the provider's cross-origin fields", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  const stops = new Set<string>();
  const where = () =>
    page.evaluate(() => {
      const active = document.activeElement!;
      if (active === document.body) return "on its way";
      return active.closest(".farthing-modal")
        ? active.tagName.toLowerCase()
        : `outside: ${active.outerHTML.slice(0, 80)}`;
    });
  const inside = async () => {
    // Between the processes of two frames nothing has the focus for a moment, or the frame behind the modal, which loses it at once.
    let stop = "";
    await expect.poll(async () => (stop = await where())).not.toMatch(/^(on its way|outside)/);
    stops.add(stop);
  };
  for (let i = 0; i < 16; i++) {
    await page.keyboard.press("Tab");
    await inside();
  }
  for (let i = 0; i < 16; i++) {
    await page.keyboard.press("Shift+Tab");
    await inside();
  }
  expect([...stops].sort()).toEqual(["button", "div", "iframe"]);
});

test("W7 a frame whose script takes the focus while the modal is open loses it again, from the card field too", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  const takeFocus = () => frame.evaluate(() => document.querySelector<HTMLElement>("#open")!.focus());
  await takeFocus();
  await expect(partnerPage.dialog).toBeFocused();
  const field = partnerPage.dialog.frameLocator("iframe").getByLabel("Card number");
  await field.click();
  await page.keyboard.type("4242");
  await expect(field).toHaveValue("4242");
  await takeFocus();
  await expect(partnerPage.dialog).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(partnerPage.dialog).toHaveCount(0);
  await takeFocus();
  await expect(frame.locator("#open")).toBeFocused(); // it is its own again
});

test("W7 Escape closes the modal, in the page and in the provider's field, and the focus returns to the opener", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.keyboard.press("Escape");
  await expect(partnerPage.dialog).toHaveCount(0);
  await expect(page.locator("iframe").first()).toBeFocused();
  await expect(frame.locator("#pay")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(frame.locator("#open")).toBeFocused();

  await partnerPage.askForPayment(frame, { clientSecret: "pi_1234_secret_2" });
  const field = partnerPage.dialog.frameLocator("iframe").getByLabel("Card number");
  await field.focus();
  await field.dispatchEvent("keydown", { key: "Escape" }); // a real press would wait for a frame that is gone
  await expect(partnerPage.dialog).toHaveCount(0);
  await expect(frame.locator("#pay")).toBeFocused();
});

test("W7 closing restores the page", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  const state = () =>
    page.evaluate(() => ({
      overflow: getComputedStyle(document.documentElement).overflow,
      inert: [...document.body.children]
        .filter((element) => (element as HTMLElement).inert)
        .map((element) => element.tagName),
      modals: document.querySelectorAll(".farthing-modal").length,
    }));
  await page.evaluate(() => {
    document.querySelector("footer")!.inert = true; // set by the page itself
    document.documentElement.style.overflow = "scroll";
  });
  const before = await state();
  await partnerPage.askForPayment(frame);
  expect((await state()).overflow).toBe("hidden"); // even over the page's own inline style
  await page.keyboard.press("Escape");
  expect(await state()).toEqual(before);
});

test("W7 a click on the background closes the modal; a drag that starts inside does not", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  const heading = (await dialog.getByRole("heading").boundingBox())!;
  await page.mouse.move(heading.x + 5, heading.y + 5);
  await page.mouse.down();
  await page.mouse.move(10, 10);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await dialog.getByRole("heading").click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(10, 10);
  await expect(dialog).toHaveCount(0);
});

test("W7 during a payment the focus stays in the dialog, the state is announced, and the button is grey, disabled and has a spinner", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await expect(dialog.getByRole("status")).toBeEmpty();
  await partnerPage.typeCard("4000 0000 0000 0002");
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.focus();
  await page.keyboard.press("Enter");
  await expect(partnerPage.payButton).toBeDisabled();
  await expect(partnerPage.payButton).toHaveText("Pay £12.34");
  await expect(partnerPage.payButton).toHaveCSS("background-color", "rgb(89, 89, 89)");
  const spinner = partnerPage.payButton.locator("i");
  await expect(spinner).toBeVisible();
  await expect(spinner).toHaveCSS("width", "26px");
  await expect(spinner).toHaveCSS("border-top-width", "3px");
  await expect(spinner).toHaveCSS("animation-duration", "0.75s");
  await expect(dialog).toBeFocused();
  await expect(dialog).toHaveAttribute("aria-busy", "true");
  await expect(dialog.getByRole("status")).toHaveText("Processing payment");
  await page.evaluate(() => window.answerCard?.());
  await expect(partnerPage.payButton).toBeEnabled();
  await expect(partnerPage.payButton).toBeFocused(); // declined: the focus is where the payer left it
  await expect(dialog).toHaveAttribute("aria-busy", "false");
  await expect(spinner).toHaveCount(0);
});

test("W7 size, layer and timing are as specified, on a phone and on a desktop", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  const overlay = page.locator(".farthing-modal");
  await expect(overlay).toHaveCSS("z-index", "1000");
  await expect(overlay).toHaveCSS("animation-duration", "0.3s");
  await expect(dialog).toHaveCSS("animation-duration", "0.3s");
  for (const [width, height, expected] of [
    [1440, 900, 500],
    [375, 667, 337.5],
    [320, 480, 288],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
    const box = (await dialog.boundingBox())!;
    expect(box.width).toBeCloseTo(expected, 0);
    expect(box.height).toBeLessThanOrEqual(height * 0.8 + 0.5);
    expect(box.x + box.width / 2).toBeCloseTo(width / 2, 0);
    expect(box.y + box.height / 2).toBeCloseTo(height / 2, 0);
    expect((await partnerPage.payButton.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  }
  // At 320 by 480 the form is taller than 80vh: the dialog scrolls and the button can be reached.
  await partnerPage.payButton.focus();
  await expect(partnerPage.payButton).toBeInViewport({ ratio: 1 });
});

test("U1 reduced motion removes animations, forced colours keep borders, and the partner's styles do not apply", async ({
  partnerPage,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
  const frame = await partnerPage.mounted({}, { redirect });
  const dialog = await partnerPage.askForPayment(frame);
  await expect(dialog).toHaveCSS("animation-name", "none");
  await expect(dialog).toHaveCSS("outline-style", "solid");
  await expect(partnerPage.payButton).toHaveCSS("border-top-style", "solid");
  await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "none" });
  await expect(dialog.getByRole("heading")).toHaveCSS("font-size", "22px");
  await expect(dialog).toHaveCSS("text-transform", "none");
  await expect(dialog).toHaveCSS("letter-spacing", "normal");
  await expect(partnerPage.payButton).toHaveCSS("border-radius", "10px");
});
