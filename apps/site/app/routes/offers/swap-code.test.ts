import { insertCode, insertVariant } from "@farthing/core/catalogue/catalogue.testing.ts";
import { SWAP_DAYS } from "@farthing/core/code-swaps/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { hiddenField, loadSite, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, newOffer, newCodeOffer, reveal } = await openOfferClub(db);

/** Returns an offer whose pool has these codes, and a member who has revealed the first one. */
async function withOwnCode(...codes: string[]) {
  const offer = await newOffer({ kind: "code" });
  for (const code of codes) await insertCode(db, { offerId: offer.id, codeKind: "pool", code });
  const member = await club.newMember();
  await reveal(offer, member);
  const page = async () => await (await club.get(offer.path, { member })).text();
  const send = (form: Record<string, string>) => club.post(offer.path, form, { member });
  return { offer, member, page, send };
}

describe("O4 swapping a code on the offer's page", () => {
  test("O4 the limit is said before the form; the new code shows in place of the old one, which stays listed as void", async () => {
    const { page, send } = await withOwnCode("FIRST1", "SECOND2", "THIRD3");
    const before = await page();
    expect(textOf(before)).toContain(`You can swap one code of this offer in ${SWAP_DAYS} days`);
    expect(hiddenField(before, "code")).toBe("FIRST1");
    const sent = await send({ swap: "cancelled", code: "FIRST1" });
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, expect.stringMatching(/#your-code$/)]);
    const after = await page();
    expect(after).toContain(">SECOND2</code>");
    expect(textOf(after)).toContain("FIRST1 is void: swapped today, because the order was cancelled");
    expect(hiddenField(after, "code"), "no form within the 30 days").toBeNull();
    expect(textOf(after)).toMatch(/You can swap one code of this offer in 30 days: again from/);
    expect((await send({ swap: "cancelled", code: "FIRST1" })).status, "a second press").toBe(303);
    expect((await send({ swap: "refused", code: "SECOND2" })).status, "another within 30 days").toBe(409);
    expect(await page()).toContain(">SECOND2</code>");
  });

  test("O4 an empty pool says so in place of the form; a press that comes too late for the last code keeps what was chosen", async () => {
    const { offer, page, send } = await withOwnCode("LAST1", "GONE2");
    await reveal(offer, await club.newMember());
    expect(hiddenField(await page(), "code")).toBeNull();
    expect(textOf(await page())).toContain("There is no other code to swap it for now, so it stays yours");
    const late = await send({ swap: "refused", code: "LAST1" });
    expect(late.status).toBe(409);
    const html = await late.text();
    expect(textOf(html)).toContain("There is no other code now, so nothing was swapped: your code is still yours.");
    expect(html).toContain(">LAST1</code>");
    expect(html).toMatch(/<details class="swap-code"[^>]* open=""/);
  });

  test("O2 O4 where only another variant or a shared code has some left, the page says so in place of the form", async () => {
    const offer = await newOffer({ kind: "code" });
    const member = await club.newMember();
    const adult = await insertVariant(db, { offerId: offer.id, label: "Adult" });
    const child = await insertVariant(db, { offerId: offer.id, label: "Child", position: 1 });
    await insertCode(db, { offerId: offer.id, variantId: adult.id, codeKind: "pool", code: "A1" });
    await insertCode(db, { offerId: offer.id, variantId: child.id, codeKind: "pool", code: "C1" });
    await insertCode(db, { offerId: offer.id, code: "SHARED" });
    const path = `${offer.path}&offer_variant=${adult.publicId}`;
    await reveal({ path }, member);
    const html = await (await club.get(path, { member })).text();
    expect(html).toContain(">A1</code>");
    expect(textOf(html)).toContain("There is no other code to swap it for now, so it stays yours");
    expect(html).not.toContain("swap-reason");
  });

  test("O4 without a reason nothing is swapped, and the page asks for one", async () => {
    const { page, send } = await withOwnCode("KEPT1", "FREE2");
    for (const swap of ["", "nonsense"]) {
      const refused = await send({ swap, code: "KEPT1" });
      expect(refused.status).toBe(422);
      expect(textOf(await refused.text())).toContain("Choose what happened, then press Swap the code.");
    }
    expect(await page()).toContain(">KEPT1</code>");
  });

  test("O4 B4 a shared code has no swap; visitors are sent to the login; another member's code is refused", async () => {
    const shared = await newCodeOffer("SHARED1");
    const member = await club.newMember();
    await reveal(shared, member);
    expect(await (await club.get(shared.path, { member })).text()).not.toContain("swap-code");
    const { offer } = await withOwnCode("MINE1", "FREE2");
    const visitor = await club.post(offer.path, { swap: "lost", code: "MINE1" });
    expect(visitor.headers.get("Location")).toMatch(/^\/login/);
    const stranger = await club.newMember();
    const refused = await club.post(offer.path, { swap: "lost", code: "MINE1" }, { member: stranger });
    expect(refused.status).toBe(409);
    expect(await refused.text()).not.toContain("MINE1");
  });

  test("O2 O4 each variant swaps its own code on its own part of the page", async () => {
    const offer = await newOffer({ kind: "code" });
    const member = await club.newMember();
    const [adult, child] = [
      await insertVariant(db, { offerId: offer.id, label: "Adult" }),
      await insertVariant(db, { offerId: offer.id, label: "Child", position: 1 }),
    ];
    for (const [variant, codes] of [
      [adult, ["A1", "A2"]],
      [child, ["C1", "C2"]],
    ] as const)
      for (const code of codes)
        await insertCode(db, { offerId: offer.id, variantId: variant.id, codeKind: "pool", code });
    const pathOf = (variant: { publicId: string }) => `${offer.path}&offer_variant=${variant.publicId}`;
    for (const variant of [adult, child]) await reveal({ path: pathOf(variant) }, member);
    expect((await club.post(pathOf(child), { swap: "lost", code: "C1" }, { member })).status).toBe(303);
    const html = await (await club.get(pathOf(child), { member })).text();
    const shown = html.replace(/<template\b[^]*?<\/template>/g, "");
    expect(shown).toContain(">C2</code>");
    expect(shown).toContain(">C1</s>");
    const other = (await (await club.get(pathOf(adult), { member })).text()).replace(
      /<template\b[^]*?<\/template>/g,
      "",
    );
    expect(other).toContain(">A1</code>");
    expect(other).not.toContain(">C1</s>");
  });

  test("T1 O4 a swap is no redemption: its button has no mark of telemetry", async () => {
    const { page } = await withOwnCode("QUIET1", "FREE2");
    const [form] = /<details class="swap-code"[^]*?<\/details>/.exec(await page()) ?? [];
    expect(form).toContain("Swap the code");
    expect(form).not.toMatch(/data-redeems|data-tracking/);
  });
});
