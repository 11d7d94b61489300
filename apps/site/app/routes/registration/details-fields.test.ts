import { dateTextCases } from "@farthing/core/forms/rules.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { loadSite, textOf } from "../../../testing/site.testing.ts";
import { openRegistration } from "./registration.testing.ts";

const { db } = await testDatabase();
loadSite();
const { openSchools, role, details, pastStepOne, membersOf } = await openRegistration(db);

describe("step two", () => {
  test.each(dateTextCases)("M3 the server follows the table of dates: $why", async ({ day, month, year, text }) => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), dob_day: day, dob_month: month, dob_year: year, date_of_birth: "01-01-1980" };
    const response = await club.post("/register/details", form, { headers });
    expect(response.status).toBe(text === null ? 400 : 303);
    if (text !== null) return;
    const html = await response.text();
    expect(html).toMatch(/id="date_of_birth-error"/);
    expect(textOf(html)).not.toContain("Date of birth:");
  });

  test.each([
    ["a child", { dob_day: "28", dob_year: "2015" }, "You have to be 18 or over to join"],
    [
      "tomorrow's eighteenth birthday",
      { dob_day: "21", dob_month: "11", dob_year: "2008" },
      "You have to be 18 or over",
    ],
    ["the future", { dob_year: "2092" }, "still to come"],
    ["a slip in the year", { dob_year: "1888" }, "Check the year."],
    ["a place that is not the brand's", { residence: "FR" }, "Choose one of the list."],
    ["no place", { residence: "" }, "** This is a required field"],
    ["a role of another category", "other-role", "Choose a role of Leadership."],
    ["a role of another type", "other-type", "Choose one of the list."],
    ["a role that is none", { job_role: "0'; drop table members" }, "Choose one of the list."],
    ["a category that is none", { job_category: "999999" }, "Choose one of the list."],
    ["no role", { job_role: "" }, "** This is a required field"],
    ["a choice that is not offered", { additional_phase: "<script>" }, "Choose one of the list."],
    ["a required field of its type missing", { additional_school_or_trust: " " }, "** This is a required field"],
    ["another brand's type", { member_type: "police" }, "Choose one of the list."],
    ["100 kB of name", { name: "x".repeat(100_000) }, "Use at most 120 letters."],
    ["a name that nobody sees", { name: "\u200B\u2060" }, "This is a required field"],
    ["a name without a letter", { name: "123" }, "Write your name in letters."],
    [
      "100 kB in an additional field",
      { additional_school_or_trust: "x".repeat(100_000) },
      "Use at most 120 characters.",
    ],
    ["NUL", { name: "Ada\u0000", member_id: "\u0000" }, "Use at most"],
    ["half a character", { name: "Ada\uD800x", member_id: "y\u0001" }, "Use at most 60"],
  ] as const)("M1 S2 %s is answered at the field, and makes no member", async (_, change, words) => {
    const club = await openSchools({ now: () => new Date("2026-11-20T12:00:00Z") });
    const headers = await pastStepOne(club);
    const form = { ...(await details()) } as Record<string, string>;
    if (change === "other-role") form["job_role"] = (await role("Primary teacher")).job_role;
    else if (change === "other-type") form["job_role"] = (await role("Midwife")).job_role;
    else Object.assign(form, change);
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(textOf(html)).toContain(words);
    expect(html).not.toMatch(/value="<script>|<b>"/);
    expect(html.length).toBeLessThan(120_000);
    expect(await membersOf(club)).toEqual([]);
    expect(club.errors).toEqual([]);
  });

  test("M1 a person who turns eighteen today is old enough, and a brand may accept younger people and other places", async () => {
    const club = await openSchools({ now: () => new Date("2026-11-20T12:00:00Z") });
    const birthday = { dob_day: "20", dob_month: "11", dob_year: "2008" };
    const first = await pastStepOne(club);
    expect(
      (await club.post("/register/details", { ...(await details()), ...birthday }, { headers: first })).status,
    ).toBe(303);
    club.brand.registration = { minimumAge: 16, residence: ["IE"] };
    const second = await pastStepOne(club);
    const younger = { ...(await details()), ...birthday, dob_year: "2010", residence: "IE" };
    expect((await club.post("/register/details", younger, { headers: second })).status).toBe(303);
  });
});
