import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { WidgetVisit } from "../../../server/visit.ts";
import { loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

const widget: WidgetVisit = {
  sessionId: "0199f3c2-0000-7000-8000-000000000001",
  partner: { name: "Larder <Lane>", publicId: "larder" },
  origin: "https://shop.example",
  bearer: "bearer-of-this-visitor-alone",
};
let club: TestClub;
beforeAll(async () => {
  club = await openClub(db, { banner: { id: "b1", text: "Half term is coming", href: null } });
});

describe("the page in a partner's frame", () => {
  test("W9 without a session it answers 401, says what to do and has no form, for members too", async () => {
    for (const member of [null, await club.newMember()]) {
      const response = await club.get("/pay", { member });
      const html = await response.text();
      expect(response.status).toBe(401);
      expect(response.headers.get("Cache-Control")).toContain("no-store");
      expect(textOf(html)).toContain("Go back there and start again");
      expect(html).not.toContain("<form");
      expect(club.errors).toEqual([]);
    }
  });

  test("W9 Z4 it asks for an amount and a reference, with labels for screen readers", async () => {
    const response = await club.get("/pay", { widget });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('<body class="is-lean" data-controller="payments" data-action="new">');
    expect(html).toMatch(/<h1[^>]*>Make a payment<\/h1>/);
    expect(textOf(html)).toContain("To Larder &lt;Lane&gt;");
    expect(html).toContain('<label for="amount">Amount</label>');
    expect(tag(html, "input", 'id="amount"')).toContain('inputMode="decimal"');
    expect(html).toContain('<label for="reference">Reference</label>');
    expect(html).toMatch(/<button[^>]*type="submit"[^>]*>.*Continue to payment/);
    expect(html).toContain('<div role="status"></div>');
  });

  test("W10 Z4 at a fixed price it shows what is paid for and a Pay button, and asks for nothing", async () => {
    const price = {
      amountPence: 3420,
      reference: "LL-1",
      description: "Friday <hamper>",
      email: "robin@customer.example",
    };
    const html = await (await club.get("/pay", { widget: { ...widget, price } })).text();
    expect(html).not.toContain("<input");
    for (const words of ["Friday &lt;hamper&gt;", "£34.20", "Reference LL-1", "Pay Larder &lt;Lane&gt;"])
      expect(textOf(html)).toContain(words);
    expect(html).toMatch(/<button[^>]*type="submit"[^>]*>.*Pay £34.20/);
    expect(html).not.toContain("robin@customer.example");
    expect(textOf(html)).not.toContain("Test mode");
  });

  test("W10 in test mode it says that no money is taken", async () => {
    const html = await (await club.get("/pay", { widget: { ...widget, mode: "test" } })).text();
    expect(textOf(html)).toContain("Test mode: no money is taken.");
  });

  test("W9 it has no header, footer, banner or link that would lead the frame away", async () => {
    const html = await (await club.get("/pay", { widget })).text();
    expect(html).not.toMatch(/<(header|footer|nav|aside)\b/);
    expect(html).not.toContain("<a ");
    expect(textOf(html)).not.toContain("Half term is coming");
    expect(html).toContain('rel="stylesheet"');
    expect(textOf(html)).toContain(club.brand.name);
  });

  test("W9 S1 it is stored nowhere, its address is sent nowhere, search engines ignore it, and every inline script is marked", async () => {
    const response = await club.get("/pay", { widget });
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    const html = await response.text();
    expect(tag(html, "meta", 'name="robots"')).toContain("noindex");
    for (const script of html.match(/<script\b[^>]*>/g) ?? [])
      if (!/\bsrc=/.test(script)) expect(script).toContain('nonce="testing-nonce"');
    expect(html.replace(/<script\b[\s\S]*?<\/script>/g, "")).not.toMatch(/\s(style|on[a-z]+)="/);
  });

  test("W9 only the script's data holds the bearer, and pages identified by cookie have none", async () => {
    const html = await (await club.get("/pay", { widget })).text();
    expect(html).toContain(widget.bearer);
    expect(html.replace(/ data-props="[^"]*"/g, "")).not.toContain(widget.bearer);
    expect(html).not.toContain(widget.sessionId);
    expect(await (await club.get("/pay", { widget: { ...widget, bearer: null } })).text()).not.toContain("bearer-of");
  });

  test.each(["/", "/partners", "/retailers", "/login"])(
    "W9 B4 %s reveals nothing of a frame, neither outside of one nor inside",
    async (path) => {
      for (const visit of [{}, { widget }]) {
        const html = await (await club.get(path, visit)).text();
        expect(html).not.toContain("bearer-of");
        expect(html).not.toContain("shop.example/redirect");
        expect(html).not.toContain(widget.sessionId);
      }
    },
  );
});
