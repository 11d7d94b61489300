import { clickInFrame } from "./click-in-frame.ts";
import { expect, type PartnerPage, settled, test } from "./partner-page.ts";

/** Moves the widget's box into a new element, and mounts the widget there. */
async function mountedIn(partnerPage: PartnerPage, wrap: "dialog" | "slot" | "overlay", zIndex = "") {
  await partnerPage.open();
  await partnerPage.page.evaluate(
    ([kind, layer]) => {
      const box = document.getElementById("host")!;
      const dialog = document.createElement("dialog");
      dialog.id = "checkout";
      if (kind === "dialog") {
        document.querySelector("main")!.append(dialog);
        dialog.append(box);
        dialog.showModal();
      } else if (kind === "slot") {
        const outer = document.createElement("div");
        document.querySelector("main")!.append(outer);
        dialog.append(document.createElement("slot"));
        outer.attachShadow({ mode: "closed" }).append(dialog);
        outer.append(box);
        dialog.showModal();
      } else {
        const overlay = document.createElement("div");
        overlay.id = "overlay";
        overlay.style.cssText = `position:fixed;inset:0;z-index:${layer};background:#fff`;
        // A trap of the focus, as Bootstrap's modal sets.
        document.addEventListener("focusin", ({ target }) => {
          if (!overlay.contains(target as Node)) overlay.querySelector("iframe")!.focus();
        });
        document.body.append(overlay);
        overlay.append(box);
      }
    },
    [wrap, zIndex] as const,
  );
  return partnerPage.mount();
}

for (const { wrap, layer, names } of [
  { wrap: "dialog", layer: "", names: '<dialog id="checkout">' },
  { wrap: "slot", layer: "", names: "a dialog" },
  { wrap: "overlay", layer: "1055", names: '<div id="overlay">' },
] as const) {
  test(`W7 a widget in a page's own modal, ${wrap} ${layer}: no card form opens under it, the page stays usable, and LOAD_ERROR says what to write`, async ({
    partnerPage,
    page,
  }) => {
    const frame = await mountedIn(partnerPage, wrap, layer);
    await frame.evaluate(() => {
      for (const type of ["blur", "focus"]) addEventListener(type, () => (window.payment.context[type] = true));
    });
    await clickInFrame(frame.locator("#pay"));
    const sentence = `farthing-widget: ${names} covers the card form. Open a dialog with show(), not showModal(), and keep z-index below 1000`;
    await expect
      .poll(() => partnerPage.events("LOAD_ERROR"))
      .toEqual([{ type: "LOAD_ERROR", payload: { reason: "set_up", message: sentence } }]);
    expect(partnerPage.consoleLines).toContain(`error: ${sentence}`);
    expect(await partnerPage.events("MODAL_OPENED")).toEqual([]);
    await expect(page.locator(".farthing-modal")).toHaveCount(0);
    await expect(page.locator("[inert]")).toHaveCount(0);
    // The frame's page hears that the form is closed by the focus alone: the messages to it are specified.
    await expect.poll(() => frame.evaluate(() => window.payment.context)).toMatchObject({ blur: true, focus: true });
    expect(await page.evaluate(() => document.querySelectorAll("body > div:not([id])").length)).toBe(0); // nor a probe
  });
}

test("W7 a widget in an overlay below z-index 1000 that traps the focus: the card form is above it, takes the card and the bank's code", async ({
  partnerPage,
  page,
}) => {
  const frame = await mountedIn(partnerPage, "overlay", "999");
  const dialog = await partnerPage.askForPayment(frame);
  await expect(dialog).toBeFocused();
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const bank = page.frameLocator('iframe[title="Secure verification"]');
  await bank.getByLabel("One-time code").pressSequentially("123");
  await expect(bank.getByLabel("One-time code")).toHaveValue("123");
  await bank.getByRole("button", { name: "Complete" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
});

test("W7 what lies above the page without taking presses, or beside its centre, keeps no card form away", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await page.evaluate(() => {
    for (const css of ["inset:0;pointer-events:none", "right:0;bottom:0;width:80px;height:80px"]) {
      const toast = document.body.appendChild(document.createElement("div"));
      toast.style.cssText = `position:fixed;z-index:2147483647;${css}`;
    }
  });
  await partnerPage.askForPayment(frame);
  await settled(page);
  expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
});
