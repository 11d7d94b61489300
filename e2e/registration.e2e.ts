import { randomUUID } from "node:crypto";
import { confirmCases, dateTextCases, passwordCases, typedDateCases } from "../packages/core/forms/rules.testing.ts";
import type { Locator, Page, Route } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";
import { readyForScript } from "./support/ready-for-script.ts";

// Without animations, elements that fade in are checked in their final state.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const PASSWORD = "Marigold-Kettle";
const newEmail = () => `newcomer-${randomUUID().slice(0, 8)}@example.org`;
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function fillStepOne(page: Page, { type, status, email }: { type: string; status: string; email: string }) {
  await field(page, "Member type").selectOption({ label: type });
  await field(page, "Member status").selectOption({ label: status });
  await field(page, "Email").fill(email);
  await field(page, "Confirm email").pressSequentially(email);
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Confirm password").fill(PASSWORD);
  await press(page, "Continue");
  await expect(page.getByRole("heading", { name: "About you" })).toBeVisible();
}

/** Step one asks for type and status; step two shows them, and lets the person change them. */
async function openBelonging(page: Page) {
  const change = page.locator("details:not([open]) > summary", { hasText: "Change" });
  if (await change.count()) await change.click();
}

async function fillPerson(page: Page, name: string) {
  await field(page, "Full name").fill(name);
  await field(page, "Day").selectOption("29");
  await field(page, "Month").selectOption({ label: "February" });
  await field(page, "Year").selectOption("1988");
  await field(page, "Where you live").selectOption({ label: "United Kingdom" });
}

async function agree(page: Page) {
  await page.getByRole("checkbox", { name: /^I agree to the terms/ }).check();
}

async function expectSent(page: Page, email: string) {
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
}

/** Follows the e-mail in the mailbox and confirms; the member is then signed in and asked for proof of membership. */
async function confirmByMail(page: Page, mailboxUrl: string, email: string) {
  const [link = ""] = (await newestMail(mailboxUrl, { to: email, subject: "Confirm your e-mail address" })).links;
  await page.goto(link);
  await press(page, "Confirm email");
  await page.waitForURL("**/verification");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Expects the errors to be marked, shown and listed, and the list to have the focus. */
async function expectErrors(page: Page, count: number) {
  const list = page.getByRole("alert");
  await expect(list.getByRole("listitem")).toHaveCount(count);
  await expect(list).toBeFocused();
  await expect(page.locator("[data-label][aria-invalid=true]")).toHaveCount(count);
}

test("M1 M3 a teacher registers: errors are listed, choices depend on each other, and an address with an account gets the same page", async ({
  page,
  mainUrl,
  sandboxUrl,
  axe,
}) => {
  await page.goto(mainUrl("chalkside"));
  await page.getByRole("link", { name: "Join", exact: true }).click();
  await readyForScript(field(page, "Email"));
  await press(page, "Continue");
  await expectErrors(page, 6);
  await expect(page.locator("label", { hasText: /^Email/ })).toHaveText("Email **");
  await expect(page.locator("#email-error")).toHaveText("** This is a required field");
  await axe(page);
  await page.getByRole("alert").getByRole("link", { name: "Email", exact: true }).click();
  await expect(page.locator("#email")).toBeFocused();

  // The browser's own message; pasting where it is refused and where it must be allowed.
  await page.locator("#email").fill("ada");
  await expect(page.locator("#email-error")).not.toHaveText("** This is a required field");
  await page.locator("#email").fill("ada@example.org");
  await expect(page.locator("#email-error")).toHaveCount(0);
  await page.locator("#email").press("ControlOrMeta+a");
  await page.locator("#email").press("ControlOrMeta+c");
  await page.locator("#email_confirmation").press("ControlOrMeta+v");
  await expect(page.locator("#email_confirmation")).toHaveValue("");
  await page.locator("#password").press("ControlOrMeta+v");
  await expect(page.locator("#password")).toHaveValue("ada@example.org");

  await page.goto(mainUrl("chalkside", "/register"));
  const email = newEmail();
  await fillStepOne(page, { type: "Education", status: "Employed permanent", email });
  await readyForScript(field(page, "Full name"));
  await press(page, "Create account");
  await expectErrors(page, 10);
  await axe(page);

  // Half-way: what was typed is restored on return.
  await field(page, "Full name **").fill("Ada O’Neill");
  const kept = page.waitForRequest((request) => request.url().endsWith("/register/draft"));
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await (await kept).response();
  await page.goto(mainUrl("chalkside", "/register"));
  await page.getByRole("link", { name: "Carry on where you left off" }).click();
  await expect(field(page, "Full name")).toHaveValue("Ada O’Neill");

  // A role selects its category, a category filters the roles, a status hides the organisation's block.
  await readyForScript(field(page, "Job role"));
  const details = page.getByRole("group", { name: "Organisation details" });
  await field(page, "Job role").selectOption({ label: "Head teacher" });
  await expect(field(page, "Job category").locator("option:checked")).toHaveText("Leadership");
  await field(page, "Job category").selectOption({ label: "Learning support" });
  await expect(field(page, "Job role").locator("option")).toHaveText([
    "Choose one",
    "Teaching assistant",
    "Higher-level TA",
    "Cover supervisor",
    "Learning mentor",
  ]);
  await openBelonging(page);
  await field(page, "Member status").selectOption({ label: "Retired" });
  await expect(details).toBeHidden();
  await field(page, "Member status").selectOption({ label: "Fixed term" });
  await field(page, "School or trust").fill("St. Mary’s");
  await field(page, "Phase").selectOption("Primary");
  await field(page, "Job role").selectOption({ label: "Learning mentor" });
  await fillPerson(page, "Ada O’Neill");
  await agree(page);

  // The overlay is shown until the response arrives; by then the page that had it is gone.
  await page.evaluate(() =>
    new MutationObserver(() => {
      const overlay = document.querySelector(".full-page-overlay");
      if (overlay) sessionStorage.setItem("overlay", overlay.textContent);
    }).observe(document.body, { subtree: true, childList: true }),
  );
  await press(page, "Create account");
  await expectSent(page, email);
  expect(await page.evaluate(() => sessionStorage.getItem("overlay"))).toContain("Setting up your account");
  await axe(page);
  const first = await page.locator("main").innerText();
  await confirmByMail(page, sandboxUrl(""), email);

  // The same address again: the same page; only the e-mail differs.
  await page.context().clearCookies();
  await page.goto(mainUrl("chalkside", "/register"));
  await fillStepOne(page, { type: "Organisation", status: "Nominated buyer", email });
  await fillPerson(page, "Somebody Else");
  await field(page, "Legal name").fill("A Limited");
  await page.getByLabel(/^Register number/).fill("01234567");
  await agree(page);
  await press(page, "Create account");
  await expectSent(page, email);
  expect(await page.locator("main").innerText()).toBe(first);
  await newestMail(sandboxUrl(""), { to: email, subject: "You already have an account" });
});

test("M1 U1 an unpaid carer registers with the keyboard alone, without questions about job and organisation", async ({
  page,
  brandUrl,
  sandboxUrl,
}) => {
  await page.goto(brandUrl("kindhold", "/register"));
  await readyForScript(field(page, "Member type"));
  const { keyboard } = page;
  const tabTo = async (target: Locator) => {
    for (let steps = 0; steps < 60; steps += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`The keyboard does not reach ${String(target)}`);
  };
  const typeInto = async (label: string, text: string) => {
    await tabTo(field(page, label));
    await keyboard.type(text);
  };
  const email = newEmail();
  await typeInto("Member type", "Unpaid");
  await typeInto("Member status", "Parent");
  await typeInto("Email", email);
  await typeInto("Confirm email", email);
  await typeInto("Password", PASSWORD);
  await typeInto("Confirm password", PASSWORD);
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "About you" })).toBeVisible();
  await readyForScript(field(page, "Full name"));

  await typeInto("Full name", "Grace Hopper");
  for (const [label, text] of [
    ["Day", "9"],
    ["Month", "Dec"],
    ["Year", "1986"],
    ["Where you live", "Jersey"],
  ] as const)
    await typeInto(label, text);
  await expect(field(page, "Job category")).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Organisation details" })).toHaveCount(0);
  await tabTo(page.locator("[name=additional_hours_band]"));
  await keyboard.press("ArrowDown");
  const since = page.locator("[name=additional_caring_since]");
  await tabTo(since);
  for (const { keys, text, why } of typedDateCases) {
    await keyboard.press("ControlOrMeta+a");
    await keyboard.press("Backspace");
    await keyboard.type(keys);
    await expect(since, `M3 ${keys}: ${why}`).toHaveValue(text);
  }
  // As a paste does: all at once, within the field's limit.
  await keyboard.press("ControlOrMeta+a");
  await keyboard.insertText("05-11-2019");
  await expect(since, "M3 a pasted date keeps its year").toHaveValue("05-11-19");
  await tabTo(page.getByRole("checkbox", { name: /^I agree to the terms/ }));
  await keyboard.press("Space");
  await tabTo(page.getByRole("button", { name: "Create account" }));
  await keyboard.press("Enter");
  await expectSent(page, email);
  await confirmByMail(page, sandboxUrl(""), email);
});

test("M1 Y7 if the drop-downs' requests fail, the form stays usable and shows no error", async ({
  page,
  brandUrl,
  sandboxUrl,
}) => {
  await page.route(/\/api\/(job-|additional-)/, (route) => route.abort());
  await page.goto(brandUrl("wardlight", "/register"));
  await readyForScript(field(page, "Member type"));
  const email = newEmail();
  await fillStepOne(page, { type: "Organisation", status: "Nominated buyer", email });
  await readyForScript(field(page, "Member type"));
  await fillPerson(page, "Mary Seacole");
  await openBelonging(page);

  await field(page, "Member type").selectOption({ label: "NHS and healthcare" });
  await field(page, "Member status").selectOption({ label: "NHS employee" });
  await expect(page.getByRole("alert")).toHaveCount(0);
  await press(page, "Show the questions for this choice");
  await expect(field(page, "Full name")).toHaveValue("Mary Seacole");
  await readyForScript(field(page, "Job category"));
  await field(page, "Job category").selectOption({ label: "Nursing & midwifery" });
  await field(page, "Job role").selectOption({ label: "Midwife" });
  await field(page, "Staff group").selectOption({ index: 1 });
  await page.locator("[name=additional_trust_or_practice]").fill("Fernhollow Trust");
  await agree(page);
  await press(page, "Create account");
  await expectSent(page, email);
  await confirmByMail(page, sandboxUrl(""), email);
});

/** The ways in which the drop-downs' requests can fail: no response, an error, an invalid response, an empty list. */
const waysToFail = [
  (route: Route) => route.abort(),
  (route: Route) => route.fulfill({ status: 500, body: "" }),
  (route: Route) => route.fulfill({ contentType: "application/json", body: "<html>" }),
  (route: Route) => route.fulfill({ json: { error: "no" } }),
];
const dropDowns = {
  categories: /\/api\/job-categories\/[a-z_]+$/,
  roles: /\/api\/job-categories\/\d+\/job-roles$|\/api\/job-roles\/\d+$/,
  fields: /\/api\/additional-fields\//,
};

/** Makes the addresses in `failing` fail, each time in another way. Returns a wait until the page has read every answer and drawn what follows. */
async function failDropDowns(page: Page, failing: Set<keyof typeof dropDowns>) {
  let turn = 0;
  for (const [which, address] of Object.entries(dropDowns) as [keyof typeof dropDowns, RegExp][])
    await page.route(address, (route) =>
      failing.has(which) ? waysToFail[turn++ % waysToFail.length]?.(route) : route.continue(),
    );
  // Counted in the page: an answer is read some time after the browser has reported it.
  await page.addInitScript(() => {
    const counted = window as unknown as { unread: number };
    counted.unread = 0;
    const read = (settled: Promise<unknown>) => settled.finally(() => (counted.unread -= 1)).catch(() => {});
    const { fetch } = window;
    window.fetch = (...request) => {
      if (!/^\/api\/(job|additional)-/.test(String(request[0]))) return fetch(...request);
      counted.unread += 1;
      const answer = fetch(...request);
      void answer.then(
        (response) => {
          if (!response.ok) return void read(Promise.resolve());
          const json = response.json.bind(response);
          response.json = () => {
            const body = json();
            void read(body);
            return body;
          };
        },
        () => void read(Promise.resolve()),
      );
      return answer;
    };
  });
  return async () => {
    await page.waitForFunction(() => (window as unknown as { unread: number }).unread === 0);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  };
}

/** Returns the required selects without options. */
const emptySelects = (page: Page) =>
  page
    .locator("form#registration-details select:required:enabled")
    .evaluateAll((selects) =>
      selects
        .filter((select) => select instanceof HTMLSelectElement && ![...select.options].some(({ value }) => value))
        .map((select) => (select as HTMLSelectElement).name),
    );
const wayOn = (page: Page) => page.getByRole("button", { name: /^Show the (questions for this choice|job roles)$/ });

test("M1 Y7 switching the type to Organisation and back while the job roles fail keeps every role", async ({
  page,
  brandUrl,
}) => {
  const settled = await failDropDowns(page, new Set(["roles"]));
  await page.goto(brandUrl("chalkside", "/register"));
  await fillStepOne(page, { type: "Education", status: "Employed permanent", email: newEmail() });
  await readyForScript(field(page, "Job role"));
  await openBelonging(page);
  await field(page, "Member type").selectOption({ label: "Organisation" });
  await settled();
  await expect(field(page, "Job role")).toHaveCount(0);
  await field(page, "Member type").selectOption({ label: "Education" });
  await settled();
  await field(page, "Job category").selectOption({ label: "Leadership" });
  await settled();
  await field(page, "Job role").selectOption({ label: "Head teacher" });
  await expect(wayOn(page)).toHaveCount(0);
});

for (const failing of [
  [],
  ["categories"],
  ["roles"],
  ["fields"],
  ["categories", "roles"],
  ["categories", "fields"],
  ["roles", "fields"],
  ["categories", "roles", "fields"],
] as (keyof typeof dropDowns)[][])
  test(`M1 Y7 no order of types leaves a select without options or without a button to load them, with ${failing.join(" and ") || "nothing"} failing`, async ({
    page,
    brandUrl,
  }) => {
    const down = new Set<keyof typeof dropDowns>();
    const settled = await failDropDowns(page, down);
    await page.goto(brandUrl("kindhold", "/register"));
    await fillStepOne(page, { type: "Organisation", status: "Nominated buyer", email: newEmail() });
    await readyForScript(field(page, "Full name"));
    await openBelonging(page);
    for (const which of failing) down.add(which);
    const own = { care: "Care provider", carer: "Hours", organisation: "Legal name" };
    const labels = { care: "Social care", carer: "Unpaid carer", organisation: "Organisation" };
    // Each type after each other type.
    const walk =
      "care carer organisation carer care organisation care carer care organisation carer organisation care".split(
        " ",
      ) as (keyof typeof own)[];
    for (const [step, type] of walk.entries()) {
      const where = `step ${step}: ${type}`;
      await field(page, "Member type").selectOption({ label: labels[type] });
      await settled();
      if (await field(page, "Job category").count()) {
        await field(page, "Job category").selectOption({ index: 1 + (step % 4) });
        await settled();
      }
      const ownField = page.getByLabel(new RegExp(`^${own[type]}`)).first();
      const hasAllChoices = async () => (await ownField.isVisible()) && (await emptySelects(page)).length === 0;
      await expect
        .poll(async () => (await wayOn(page).count()) > 0 || (await hasAllChoices()), { message: where })
        .toBe(true);
      const isOn = await wayOn(page).count();
      // Half-way, and at the end, the way on is taken: it leads to everything that the choice asks for.
      if (isOn === 0 || (step !== 6 && step < walk.length - 1)) continue;
      await wayOn(page).first().click();
      await expect(wayOn(page)).toHaveCount(0);
      await readyForScript(field(page, "Full name"));
      expect(await emptySelects(page), where).toEqual([]);
      await expect(ownField, where).toBeVisible();
      await openBelonging(page);
    }
    await expect(page.getByRole("alert"), "Y7 failures stay silent").toHaveCount(0);
  });

test("M1 Y7 a response that arrives after another choice, or after switching back, changes nothing", async ({
  page,
  brandUrl,
}) => {
  const held: (() => Promise<void>)[] = [];
  await page.route(/\/api\/(job-|additional-)/, (route) => void held.push(() => route.continue().catch(() => {})));
  await page.goto(brandUrl("kindhold", "/register"));
  await fillStepOne(page, { type: "Social care", status: "Employed", email: newEmail() });
  await readyForScript(field(page, "Full name"));
  await openBelonging(page);
  await field(page, "Member type").selectOption({ label: "Organisation" });
  await expect.poll(() => held.length).toBe(2);
  await field(page, "Member type").selectOption({ label: "Social care" });
  await Promise.all(held.splice(0).map((release) => release()));
  await expect(field(page, "Job role").locator("option")).not.toHaveCount(1);
  await expect(page.getByLabel(/^Care provider/)).toBeVisible();

  // A role of one category, and before its response a role of another: the last one counts.
  await field(page, "Job role").selectOption({ label: "Care assistant" });
  await field(page, "Job role").selectOption({ label: "Social worker" });
  await Promise.all(held.splice(0).map((release) => release()));
  await expect(field(page, "Job category").locator("option:checked")).toHaveText("Social work");
  await expect(field(page, "Job role").locator("option:checked")).toHaveText("Social worker");
});

test("M1 P8 choices made before the script loads are kept: type and status, category and role", async ({
  page,
  brandUrl,
}) => {
  const held: (() => Promise<void>)[] = [];
  let isSlow = true;
  await page.route("**/assets/*.js", (route) =>
    isSlow ? void held.push(() => route.continue().catch(() => {})) : route.continue(),
  );
  const release = async () => {
    isSlow = false;
    await Promise.all(held.splice(0).map((go) => go()));
  };
  await page.goto(brandUrl("chalkside", "/register"), { waitUntil: "commit" });
  await field(page, "Member type").selectOption({ label: "Education" });
  await page.locator("#member_status").selectOption("fixed_term");
  await release();
  await readyForScript(field(page, "Member type"));
  await expect(field(page, "Member type")).toHaveValue("education");
  await expect(field(page, "Member status")).toHaveValue("fixed_term");
  await fillStepOne(page, { type: "Education", status: "Fixed term", email: newEmail() });

  isSlow = true;
  await page.goto(brandUrl("chalkside", "/register/details"), { waitUntil: "commit" });
  await field(page, "Job category").selectOption({ label: "Leadership" });
  await field(page, "Job role").selectOption({ label: "Deputy head" });
  await release();
  await readyForScript(field(page, "Job role"));
  await expect(field(page, "Job category").locator("option:checked")).toHaveText("Leadership");
  await expect(field(page, "Job role").locator("option:checked")).toHaveText("Deputy head");
});

test("M3 the browser follows the table of rules: passwords, their repetition, dates of birth", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("freshledge", "/register"));
  const [first, second] = [page.locator("#password"), page.locator("#password_confirmation")];
  await readyForScript(first);
  const verdict = (id: string) => page.locator(`label[for=${id}]`);
  for (const { password: typed, isGood, why } of passwordCases) {
    await first.fill(typed);
    if (typed === "") await expect(verdict("password"), why).not.toHaveAttribute("data-verdict");
    else await expect(verdict("password"), why).toHaveAttribute("data-verdict", isGood ? "good" : "bad");
  }
  const colours = new Set<string>();
  for (const { password: typed, confirmation, isGood, why } of confirmCases) {
    await first.fill(typed);
    await second.fill(confirmation);
    const label = verdict("password_confirmation");
    if (confirmation === "") await expect(label, why).not.toHaveAttribute("data-verdict");
    else await expect(label, why).toHaveAttribute("data-verdict", isGood ? "good" : "bad");
    // With reduced motion every transition takes a millisecond, so the colour is the final one.
    const colour = label.evaluate(async (element) => {
      await Promise.all(element.getAnimations().map(({ finished }) => finished));
      return getComputedStyle(element).color;
    });
    colours.add(await colour);
  }
  expect(colours.size, "the label's colour says it: good, bad and neither").toBe(3);

  await fillStepOne(page, { type: "Student or apprentice", status: "Undergraduate", email: newEmail() });
  await readyForScript(field(page, "Day"));
  const text = page.locator("[name=date_of_birth]");
  for (const { day, month, year, text: expected, why } of dateTextCases) {
    if (!/^(\d{4})?$/.test(year) || day.startsWith("-")) continue; // can't be chosen, only submitted
    await page.locator("#dob_day").selectOption(day);
    await page.locator("#dob_month").selectOption(month);
    await page.locator("#dob_year").selectOption(year);
    await expect(text, why).toHaveValue(expected ?? "");
  }
});

test("Y1 the label never accepts a password that is refused: a common one, or one with the address, shows an error before submission", async ({
  page,
  brandUrl,
  axe,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  let release = () => {};
  const held = new Promise<void>((go) => (release = go));
  await page.route("**/assets/common-passwords*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(brandUrl("tinrattle", "/register"));
  const password = page.locator("#password");
  const label = page.locator("label[for=password]");
  const told = page.getByRole("status").filter({ hasText: /password/ });
  await readyForScript(password);
  await password.fill("password1");
  await expect(label).toHaveAttribute("data-verdict", "bad");
  await password.fill("Password1");
  await expect(label, "not before it is known").not.toHaveAttribute("data-verdict");
  release();
  await expect(label).toHaveAttribute("data-verdict", "bad");
  await expect(told).toHaveText("Many people use this password, so it is tried first. Choose another.");
  await axe(page);
  await password.fill("Marigold-Kettle");
  await expect(label).toHaveAttribute("data-verdict", "good");
  await expect(told).toHaveCount(0);
  await field(page, "Email").fill("marigold@example.org");
  await expect(label).toHaveAttribute("data-verdict", "bad");
  await expect(told).toHaveText("Leave your e-mail address out of your password.");
  await password.fill("P@ssw0rd");
  await press(page, "Continue");
  await expect(page.locator("#password-error")).toContainText("Many people use this password");
  expect(sent.filter((request) => /Password1|P@ssw0rd|Marigold/.test(request))).toEqual([]);

  // Without the list only the rule is checked, and the server checks the rest.
  await page.unroute("**/assets/common-passwords*.js");
  await page.route("**/assets/common-passwords*.js", (route) => route.abort());
  await page.reload();
  await readyForScript(password);
  await password.fill("Password1");
  await expect(label).toHaveAttribute("data-verdict", "good");
});

test("M1 type and status are asked once: step two shows them, and lets the person change them", async ({
  page,
  brandUrl,
  axe,
}) => {
  await page.goto(brandUrl("kindhold", "/register"));
  await fillStepOne(page, { type: "Social care", status: "Agency", email: newEmail() });
  await readyForScript(field(page, "Full name"));
  const now = page.locator("summary", { hasText: "Social care, Agency" });
  await expect(now).toBeVisible();
  await expect(field(page, "Member type")).toBeHidden();
  await now.focus();
  await page.keyboard.press("Enter");
  await field(page, "Member type").selectOption({ label: "Organisation" });
  await expect(page.getByLabel(/^Legal name/)).toBeVisible();
  await expect(page.locator("summary", { hasText: /^Organisation\s*Change$/ })).toBeVisible();
  await axe(page);
  // Closed again with the status missing: the form opens it to show the error.
  await page.locator("summary", { hasText: "Change" }).click();
  await expect(field(page, "Member type")).toBeHidden();
  await press(page, "Create account");
  await page.getByRole("alert").getByRole("link", { name: "Member status" }).click();
  await expect(page.locator("#member_status")).toBeFocused();
});

test("Z1 M9 after joining at the address that npm start prints, following the e-mail's link logs in there, in the first tab too", async ({
  page,
  context,
  brandUrl,
  sandboxUrl,
}) => {
  const start = new URL(brandUrl("x").replace("x.localhost", "localhost")).origin;
  await page.goto(`${start}/register`);
  await readyForScript(field(page, "Member type"));
  const email = newEmail();
  await fillStepOne(page, { type: "Organisation", status: "Nominated buyer", email });
  await fillPerson(page, "Edith Cowan");
  await field(page, "Legal name").fill("Fernhollow School");
  await page.getByLabel(/^Register number/).fill("01234567");
  await agree(page);
  await press(page, "Create account");
  await expectSent(page, email);
  const mail = await context.newPage();
  await confirmByMail(mail, sandboxUrl(""), email);
  expect(new URL(mail.url()).origin).toBe(start);
  await page.goto(`${start}/profile`);
  await expect(page).toHaveURL(`${start}/profile`);
});

test("U1 neither step scrolls sideways at 320 px, including errors", async ({ page, brandUrl }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const expectNarrow = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.goto(brandUrl("kindhold", "/register"));
  await readyForScript(field(page, "Email"));
  await press(page, "Continue");
  await expectErrors(page, 6);
  await expectNarrow();
  await page.goto(brandUrl("kindhold", "/register"));
  await fillStepOne(page, { type: "Social care", status: "Employed", email: newEmail() });
  await readyForScript(field(page, "Full name"));
  await press(page, "Create account");
  await expect(page.getByRole("alert")).toBeFocused();
  await expectNarrow();
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("M1 P8 an organisation registers without script: choices by reloading, errors by the server, valid markup", async ({
    page,
    brandUrl,
    sandboxUrl,
    validHtml,
  }) => {
    await validHtml(page, brandUrl("freshledge", "/register"));
    const email = newEmail();
    await fillStepOne(page, { type: "Student or apprentice", status: "Postgraduate", email });
    await validHtml(page, brandUrl("freshledge", "/register/details"));
    await expect(page.locator("[name=additional_course_end_month]")).toBeVisible();
    await openBelonging(page);
    await field(page, "Member type").selectOption({ label: "Organisation" });
    await press(page, "Show the questions for this choice");
    await expect(field(page, "Job category")).toHaveCount(0);
    await field(page, "Member status").selectOption({ label: "Scheme administrator" });
    await field(page, "Legal name").fill("Fernhollow College");
    await field(page, "Register number").fill("01234567");
    await fillPerson(page, "Alan Turing");
    // The list has no year of somebody under 16, so a value of it is changed: the server has the last word.
    await field(page, "Year")
      .locator("option")
      .nth(1)
      .evaluate(
        (option: HTMLOptionElement, year) => Object.assign(option, { value: year, selected: true }),
        String(new Date().getFullYear() - 15),
      );
    await field(page, "Month").selectOption({ label: "December" });
    await field(page, "Day").selectOption("31");
    await agree(page);
    await press(page, "Create account");
    await expect(page.getByRole("alert")).toContainText("You have to be 16 or over to join Freshledge.");
    await page.locator("#dob_year").selectOption("2004");
    await agree(page);
    await press(page, "Create account");
    await expectSent(page, email);
    await confirmByMail(page, sandboxUrl(""), email);
  });
});

test("M1 what was typed before the page's script has loaded is there again after a reload", async ({
  page,
  brandUrl,
}) => {
  let release = () => {};
  const held = new Promise<void>((go) => (release = go));
  await page.route("**/assets/offer-behaviours*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(brandUrl("wardlight", "/register"));
  const email = newEmail();
  await field(page, "Email").fill(email);
  await expect(page.locator("html")).not.toHaveAttribute("data-script", "started");
  release();
  await expect(page.locator("html")).toHaveAttribute("data-script", "started");
  await page.reload();
  await expect(field(page, "Email")).toHaveValue(email);
});

test("M1 what was typed in either step is there again after a reload; passwords and consents are not", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("wardlight", "/register"));
  await readyForScript(field(page, "Member type"));
  await expect(field(page, "Member status").locator("option")).toHaveText(["Choose your member type first"]);
  const email = newEmail();
  await field(page, "Member type").selectOption({ label: "NHS and healthcare" });
  await field(page, "Member status").selectOption({ label: "NHS employee" });
  await field(page, "Email").fill(email);
  await field(page, "Confirm email").pressSequentially(email.toUpperCase());
  await field(page, "Password").fill(PASSWORD);
  await page.reload();
  await expect(field(page, "Member status").locator("option:checked")).toHaveText("NHS employee");
  await expect(field(page, "Member type").locator("option:checked")).toHaveText("NHS and healthcare");
  await expect(field(page, "Email")).toHaveValue(email);
  await expect(field(page, "Confirm email")).toHaveValue(email.toUpperCase());
  await expect(field(page, "Password")).toHaveValue("");

  await field(page, "Password").fill(PASSWORD);
  await field(page, "Confirm password").fill(PASSWORD);
  await press(page, "Continue");
  await readyForScript(field(page, "Full name"));
  await fillPerson(page, "Mary Seacole");
  await field(page, "Job role").selectOption({ label: "Midwife" });
  await agree(page);
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Mary Seacole");
  await expect(field(page, "Year")).toHaveValue("1988");
  await expect(field(page, "Job role").locator("option:checked")).toHaveText("Midwife");
  await expect(page.getByRole("checkbox", { name: /^I agree to the terms/ })).not.toBeChecked();
});
