import {
  daysFromNow,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { askForAlert } from "@farthing/core/alerts/operations.server.ts";
import { createViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { hiddenField, loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db)).id;
});

async function newOffer(title: string, options: { brandId?: string; endsAt?: Date; startsAt?: Date } = {}) {
  const { brandId = club.brand.id, ...offer } = options;
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  return { ...(await insertOffer(db, { networkId, retailerId: retailer.id, title, ...offer })), retailer };
}

const json = { Accept: "application/json" };
const heart = (html: string, key: string) => tag(html, "button", `value="${key}"`);

describe("favourites", () => {
  test("D10 P8 without script the heart on an offer's page saves it, the page comes back with a full heart, and pressing again removes it", async () => {
    const offer = await newOffer("Boots with a heart");
    const member = await club.newMember();
    const path = `/offers/${offer.slug}?offer=${offer.publicId}`;
    const before = await (await club.get(path, { member })).text();
    expect(heart(before, `offer/${offer.publicId}`)).toMatch(/name="add"/);
    expect(heart(before, `offer/${offer.publicId}`)).toMatch(/aria-pressed="false"/);
    const next = hiddenField(before, "next")!.replaceAll("&amp;", "&");
    expect(next).toBe(path);
    const saved = await club.post("/favourites", { add: `offer/${offer.publicId}`, next }, { member });
    expect(saved.status).toBe(303);
    expect(saved.headers.get("Location")).toBe(path);
    const after = await (await club.get(path, { member })).text();
    expect(heart(after, `offer/${offer.publicId}`)).toMatch(/name="remove"/);
    expect(heart(after, `offer/${offer.publicId}`)).toMatch(/aria-pressed="true"/);
    expect(textOf(await (await club.get("/favourites", { member })).text())).toContain("Boots with a heart");
    await club.post("/favourites", { remove: `offer/${offer.publicId}`, next }, { member });
    expect(textOf(await (await club.get("/favourites", { member })).text())).toContain("Nothing saved yet");
  });

  test("D10 a script gets an empty 204, and saving twice saves once", async () => {
    const offer = await newOffer("Saved by script");
    const member = await club.newMember();
    for (const _ of [1, 2]) {
      const answer = await club.post(
        "/favourites",
        { add: `retailer/${offer.retailer.slug}` },
        { member, headers: json },
      );
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe("");
    }
    const html = await (await club.get("/favourites", { member })).text();
    expect(html.split(`href="/retailers/${offer.retailer.slug}"`)).toHaveLength(2);
  });

  test("D10 a visitor is sent to the login and comes back to the page with the favourite saved", async () => {
    const offer = await newOffer("Wanted by a visitor");
    const next = `/offers/${offer.slug}?offer=${offer.publicId}`;
    const answer = await club.post("/favourites", { add: `offer/${offer.publicId}`, next });
    expect(answer.status).toBe(303);
    const login = new URL(answer.headers.get("Location")!, "http://x");
    expect(login.pathname).toBe("/login");
    const cookie = answer.headers.get("Set-Cookie")!;
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    const member = await club.newMember();
    const back = await club.get(login.searchParams.get("next")!, {
      member,
      headers: { Cookie: cookie.split(";")[0]! },
    });
    expect(back.status).toBe(302);
    expect(back.headers.get("Location")).toBe(next);
    expect(back.headers.get("Set-Cookie")).toMatch(/favourite_wanted=; .*Max-Age=0/);
    expect(heart(await (await club.get(next, { member })).text(), `offer/${offer.publicId}`)).toMatch(
      /aria-pressed="true"/,
    );
  });

  test("S1 a link alone adds nothing, and leads only into the site", async () => {
    const offer = await newOffer("Not by a link");
    const member = await club.newMember();
    const answer = await club.get(`/favourites/wanted?next=//evil.example&add=offer/${offer.publicId}`, { member });
    expect(answer.headers.get("Location")).toBe("/favourites");
    expect(textOf(await (await club.get("/favourites", { member })).text())).toContain("Nothing saved yet");
  });

  test("S1 members see only their own list, and cannot remove another member's favourite", async () => {
    const offer = await newOffer("Ada's alone");
    const [ada, bob] = [await club.newMember(), await club.newMember()];
    await club.post("/favourites", { add: `offer/${offer.publicId}` }, { member: ada });
    await club.post("/favourites", { remove: `offer/${offer.publicId}` }, { member: bob });
    expect(textOf(await (await club.get("/favourites", { member: bob })).text())).not.toContain("Ada's alone");
    expect(textOf(await (await club.get("/favourites", { member: ada })).text())).toContain("Ada's alone");
  });

  test("B4 an offer that only another brand shows cannot be saved, and a member of another brand sees nothing of it here", async () => {
    const other = await openClub(db);
    const theirs = await newOffer("Their secret offer", { brandId: other.brand.id });
    const member = await club.newMember();
    for (const add of [
      `offer/${theirs.publicId}`,
      `retailer/${theirs.retailer.slug}`,
      `alert/${theirs.retailer.slug}`,
    ]) {
      const answer = await club.post("/favourites", { add }, { member, headers: json });
      expect(answer.status).toBe(404);
    }
    expect(await (await club.get("/favourites", { member })).text()).not.toContain("Their secret offer");
  });

  test.each([
    ["nothing", {}, 400],
    ["nonsense", { add: "offer/../x" }, 400],
    ["an unknown offer", { add: "offer/none" }, 404],
  ])("D10 %s is answered with a page that says that nothing was saved", async (_, form, status) => {
    const answer = await club.post("/favourites", form, { member: await club.newMember() });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    expect(textOf(await answer.text())).toContain("That was not saved");
  });

  test("S1 the page is for members only, and no cache may store it", async () => {
    const stranger = await club.get("/favourites");
    expect(stranger.status).toBe(302);
    expect(stranger.headers.get("Location")).toBe("/login?next=%2Ffavourites");
    const { headers } = await club.get("/favourites", { member: await club.newMember() });
    expect(headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("D10 a favourite whose offer has ended stays, says so and leads on", async () => {
    const offer = await newOffer("Gone boots", { startsAt: daysFromNow(-9), endsAt: daysFromNow(-1) });
    const member = await club.newMember();
    await club.post("/favourites", { add: `offer/${offer.publicId}` }, { member });
    const html = await (await club.get("/favourites", { member })).text();
    expect(textOf(html)).toContain("No longer on");
    expect(html).toContain(`href="/retailers/${offer.retailer.slug}"`);
  });

  test.each([
    ["paused", "Has paused its offers"],
    ["in_administration", "Is in administration"],
    ["closed", "Has closed"],
  ] as const)(
    "D10 a favourite retailer that is %s stays, and its tile says so instead of a rate or offers",
    async (status, words) => {
      const retailer = await insertRetailer(db, { brandIds: [club.brand.id] });
      const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
      await insertRateTier(db, { programmeId: programme.id, bp: 500 });
      await insertOffer(db, { networkId, retailerId: retailer.id, programmeId: programme.id });
      const member = await club.newMember();
      await club.post("/favourites", { add: `retailer/${retailer.slug}` }, { member });
      const tile = async () => textOf(await (await club.get("/favourites", { member })).text());
      expect(await tile()).toContain(`${retailer.name} 5% cashback`);
      await db.updateTable("retailers").set({ status }).where("id", "=", retailer.id).execute();
      const stopped = await tile();
      expect(stopped).toContain(`${retailer.name} ${words}`);
      expect(stopped).not.toContain("5% cashback");
      await db.deleteFrom("rate_tiers").where("programme_id", "=", programme.id).execute();
      expect(await tile()).toContain(`${retailer.name} ${words}`);
    },
  );
});

describe("recently viewed", () => {
  test("D10 recently viewed offers are listed, latest first, and one press clears them", async () => {
    const [first, second] = [await newOffer("Viewed first"), await newOffer("Viewed second")];
    const member = await club.newMember();
    const views = createViewRecorder({ db, onError: (error) => expect.unreachable(String(error)) });
    views.record({ memberId: member.id, offerId: first.id, now: NOW });
    views.record({ memberId: member.id, offerId: second.id, now: new Date(NOW.getTime() + 1) });
    await views.close();
    const text = textOf(await (await club.get("/favourites", { member })).text());
    expect(text.indexOf("Viewed second")).toBeLessThan(text.indexOf("Viewed first"));
    expect(text).toContain("Viewed first");
    await club.post("/favourites", { clear: "viewed", next: "/favourites" }, { member });
    expect(textOf(await (await club.get("/favourites", { member })).text())).not.toContain("Viewed");
  });
});

describe("alerts for rates", () => {
  async function newAlert() {
    const retailer = await insertRetailer(db, { brandIds: [club.brand.id] });
    const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: programme.id, bp: 500 });
    const member = await club.newMember();
    await askForAlert(db, { brandId: club.brand.id, memberId: member.id, slug: retailer.slug, now: NOW });
    const { token } = await db
      .selectFrom("rate_alerts")
      .select("token")
      .where("member_id", "=", member.id)
      .executeTakeFirstOrThrow();
    return { member, retailer, token };
  }
  const asMember = async (member: Awaited<ReturnType<typeof newAlert>>["member"]) =>
    textOf(await (await club.get("/favourites", { member })).text());

  test("D10 an alert is listed with the rate at the time of the request", async () => {
    const { member } = await newAlert();
    const text = await asMember(member);
    expect(text).toContain("Best rate 5% when you asked");
    expect(text).toContain("You’ll hear when it rises Stop");
  });

  test("D10 the mail's link asks before it ends the alert, works without a login, and works once", async () => {
    const { member, token } = await newAlert();
    const page = await club.get(`/alerts/stop?token=${token}`);
    expect(textOf(await page.text())).toContain("Stop watching this rate?");
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await asMember(member)).toContain("Rates we watch");
    expect(textOf(await (await club.post("/alerts/stop", { token })).text())).toContain(
      "No more mails about this rate",
    );
    expect(await asMember(member)).not.toContain("Rates we watch");
    expect(textOf(await (await club.post("/alerts/stop", { token })).text())).toContain("This alert has ended");
  });

  test("B4 a token of another brand ends nothing here", async () => {
    const { member, token } = await newAlert();
    const other = await openClub(db);
    expect(textOf(await (await other.get(`/alerts/stop?token=${token}`)).text())).toContain("This alert has ended");
    await other.post("/alerts/stop", { token });
    expect(await asMember(member)).toContain("Rates we watch");
  });
});
