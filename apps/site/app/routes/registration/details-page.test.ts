import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { loadSite, tag, textOf } from "../../../testing/site.testing.ts";
import { newEmail, openRegistration, stepOne } from "./registration.testing.ts";

const { db } = await testDatabase();
loadSite();
const { openSchools, details, pastStepOne, membersOf } = await openRegistration(db);

describe("step two", () => {
  test("M1 step two cannot be reached without step one, with an invalid token, or at another brand", async () => {
    const club = await openSchools();
    const other = await openSchools();
    const headers = await pastStepOne(club);
    expect((await club.get("/register/details")).headers.get("Location")).toBe("/register");
    const made = { Cookie: `farthing_registration=${"x".repeat(43)}` };
    for (const response of [
      await club.get("/register/details", { headers: made }),
      await other.get("/register/details", { headers }),
      await other.post("/register/details", await details(), { headers }),
    ])
      expect(response.headers.get("Location")).toBe("/register?over");
    expect(await membersOf(other)).toEqual([]);
    expect((await club.get("/register/details", { headers })).status).toBe(200);
  });

  test("M1 an expired draft starts again, and the page says so", async () => {
    let now = NOW;
    const club = await openSchools({ now: () => now });
    const headers = await pastStepOne(club);
    now = new Date(NOW.getTime() + 8 * 24 * 60 * 60 * 1000);
    const response = await club.post("/register/details", await details(), { headers });
    expect(response.headers.get("Location")).toBe("/register?over");
    expect(textOf(await (await club.get("/register?over")).text())).toContain("Please begin again");
    expect(await membersOf(club)).toEqual([]);
  });

  test("M1 P7 P8 U1 the form has the specified names, all roles in groups, and autocomplete hints", async () => {
    const club = await openSchools();
    const html = await (await club.get("/register/details", { headers: await pastStepOne(club) })).text();
    expect(html).toContain('<body data-controller="registrations" data-action="edit">');
    for (const name of ["member_type", "member_status", "job_category", "job_role", "member_id", "date_of_birth"])
      expect(html, name).toContain(`name="${name}"`);
    for (const name of ["dob_day", "dob_month", "dob_year"]) expect(html).toContain(`name="${name}"`);
    expect(html).toMatch(/<select[^>]*name="job_role"[\s\S]*?<optgroup label="Leadership"><option/);
    expect(html).toContain('<fieldset class="organisation-details"><legend>Organisation details</legend>');
    expect(tag(html, "input", 'name="name"')).toMatch(/autoComplete="name"/i);
    expect(tag(html, "select", 'name="dob_year"')).toMatch(/autoComplete="bday-year"/i);
    expect(html).toMatch(/<button type="submit"[^>]*>.*?Create account<\/span>/);
    for (const name of ["terms", "offers"]) expect(tag(html, "input", `name="${name}"`)).not.toContain("checked");
  });

  test("P8 S1 the script of step two gets what the form needs: no row ids, and no answers that the markup has", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const html = await (await club.post("/register/details", { ...(await details()), name: "" }, { headers })).text();
    const props = /<site-island name="details-form"[^>]*data-props="([^"]*)"/
      .exec(html)?.[1]
      ?.replaceAll("&quot;", '"');
    expect(JSON.parse(props ?? "")).toMatchObject({
      view: { type: "education", errors: { name: REQUIRED_MESSAGE }, labels: { name: "Full name" } },
    });
    expect(html).toContain("St. Mary’s &lt;b&gt;");
    expect(props).not.toMatch(/St\. Mary|school_or_trust|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  test("M1 an organisation is asked for no job category, and a carer for no organisation details", async () => {
    const club = await openSchools();
    const organisation = { ...stepOne(), member_type: "organisation", member_status: "nominated_buyer" };
    const first = await (
      await club.get("/register/details", { headers: await pastStepOne(club, organisation) })
    ).text();
    expect(first).not.toContain('name="job_category"');
    expect(first).toContain('name="additional_legal_name"');
    const carer = { ...stepOne(), member_type: "unpaid_carer", member_status: "parent_carer" };
    const second = await (await club.get("/register/details", { headers: await pastStepOne(club, carer) })).text();
    expect(second).not.toContain("organisation-details");
    expect(second).toContain('name="additional_hours_band"');
  });

  test("M1 a status that hides the organisation details turns them off, and none of them is required or stored", async () => {
    const club = await openSchools();
    const email = newEmail();
    const headers = await pastStepOne(club, { ...stepOne(email), member_status: "retired" });
    const html = await (await club.get("/register/details", { headers })).text();
    expect(html).toContain('<fieldset class="organisation-details" hidden="" disabled="">');
    const form = { ...(await details()), member_status: "retired", job_category: "", job_role: "" };
    expect((await club.post("/register/details", form, { headers })).headers.get("Location")).toBe("/register/sent");
    const [member] = await membersOf(club);
    expect(member).toMatchObject({ email, additional_fields: {}, job_role_id: null });
  });

  test("P8 without script a button changes the type and shows its questions", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), member_type: "unpaid_carer", member_status: "", intent: "show" };
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('name="additional_hours_band"');
    expect(html).not.toContain('name="additional_school_or_trust"');
    expect(html).toContain(">Parent carer</option>");
    expect(html).toContain('value="Ada O’Neill-Łukasz"');
    expect(html).not.toContain('role="alert"');
  });

  test("P8 Enter in a field presses the form's first button, which creates the account where no choice has changed", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const response = await club.post("/register/details", { ...(await details()), intent: "show" }, { headers });
    expect(response.headers.get("Location")).toBe("/register/sent");
  });

  test("Y7 the button that loads every choice creates no account, whatever is filled in and however often it is pressed", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), intent: "questions" };
    await club.post("/register/draft", form, { headers });
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).not.toContain('role="alert"');
    expect(html).toContain(">Deputy head</option>");
    expect(await membersOf(club)).toEqual([]);
  });

  test("M1 answers are kept when something is wrong, when the page is hidden and when the person comes back; consents are not", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), residence: "" };
    await club.post("/register/details", form, { headers });
    const html = await (await club.get("/register/details", { headers })).text();
    expect(tag(html, "input", 'name="name"')).toContain('value="Ada O’Neill-Łukasz"');
    expect(html).toContain('value="St. Mary’s &lt;b&gt;"');
    expect(html).toMatch(/<option value="Primary" selected="">/);
    expect(tag(html, "input", 'name="terms"')).not.toContain("checked");

    const beacon = await club.post("/register/draft", { ...form, name: "Grace" }, { headers });
    expect(beacon.status).toBe(204);
    expect(await (await club.get("/register/details", { headers })).text()).toContain('value="Grace"');
    expect((await club.post("/register/draft", form)).status).toBe(204);
    expect((await club.get("/register/draft")).status).toBe(404);
  });
});
