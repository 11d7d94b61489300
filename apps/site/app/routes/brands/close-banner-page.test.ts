import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db, { banner: { id: "half term; é", text: "Half term is coming", href: null } });
});

const close = (form: Record<string, string>) => club.post("/banner-closed", form);
const cookieOf = (response: Response) => response.headers.get("set-cookie");
const bannerAt = async (cookie?: string) => {
  const response = await club.get("/login", cookie === undefined ? {} : { headers: { cookie } });
  return (await response.text()).includes("Half term is coming");
};

describe("D6 P8 closing the banner without script", () => {
  test("D6 P8 the form returns to its page, and no later page shows the banner", async () => {
    expect(await bannerAt()).toBe(true);
    const closed = await close({ banner: "half term; é", next: "/search?q=boots" });
    expect({ status: closed.status, location: closed.headers.get("location") }).toEqual({
      status: 303,
      location: "/search?q=boots",
    });
    expect(closed.headers.get("cache-control")).toBe("no-store");
    expect(cookieOf(closed)).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await bannerAt(`other=1; ${cookieOf(closed)?.split(";")[0]}`)).toBe(false);
  });

  test("D6 the next banner is shown again", async () => {
    expect(await bannerAt("farthing_banner=an-older-one")).toBe(true);
    expect(await bannerAt("farthing_banner=%E0%A4%A")).toBe(true);
  });

  test.each([
    ["another id", { banner: "x", next: "/" }, "/"],
    ["a whole other cookie as the id", { banner: "x; Domain=.example", next: "/" }, "/"],
    ["no form at all", {}, "/"],
    ["another site as the next page", { banner: "x", next: "//evil.example/" }, "/"],
  ])("S1 %s sets no cookie and stays on this site", async (_, form, location) => {
    const answer = await close(form as Record<string, string>);
    expect({
      status: answer.status,
      location: answer.headers.get("location"),
      cookie: cookieOf(answer),
    }).toEqual({ status: 303, location, cookie: null });
  });
});
