import {
  daysFromNow,
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { hiddenField, loadSite, openClub, tag, type TestClub, textOf } from "../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
let categorySlug: string;
beforeAll(async () => {
  club = await openClub(db, { banner: { id: "b1", text: "Half term is coming", href: "/retailers" } });
  const network = await insertNetwork(db);
  const category = await insertCategory(db, "Walking boots");
  categorySlug = category.slug;
  await db
    .updateTable("categories")
    .set({ body: "Boots for every hill.\n\nMeasured feet walk further." })
    .where("id", "=", category.id)
    .execute();
  const brandIds = [club.brand.id];
  const retailer = await insertRetailer(db, {
    name: "O’Fell & Sons <b>",
    slug: "o-fell-and-sons",
    brandIds,
    categoryIds: [category.id],
    shortInfo: "Boots.",
  });
  const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });
  await insertRateTier(db, { programmeId: programme.id, bp: 600 });
  for (let number = 1; number <= 30; number += 1) {
    await insertOffer(db, {
      networkId: network.id,
      retailerId: retailer.id,
      programmeId: programme.id,
      title: `Boot offer number ${number}`,
      headline: `${number}% off`,
      categoryIds: [category.id],
      popularity: number,
      startsAt: daysFromNow(-number),
      endsAt: number === 7 ? daysFromNow(1) : null,
    });
  }
  await insertRetailer(db, { slug: "paused-shop", name: "Paused Shop", status: "paused", brandIds });
  await insertRetailer(db, { slug: "sinking-shop", name: "Sinking Shop", status: "in_administration", brandIds });
  await insertRetailer(db, { slug: "elsewhere", name: "Elsewhere Only" });
  await indexCatalogue(db, { now: NOW });
});

const read = async (path: string, options = {}) => {
  const response = await club.get(path, options);
  return { response, html: await response.text() };
};

describe("every page", () => {
  test.each([
    ["/", "home", "index", 200],
    ["/search?q=boot", "search", "index", 200],
    ["/retailers", "retailers", "index", 200],
    ["/retailers/o-fell-and-sons", "retailers", "show", 200],
    ["/categories/walking-boots", "categories", "show", 200],
    ["/login", "sessions", "new", 200],
    ["/no/such/page", "errors", "show", 404],
    ["/retailers/nobody", "errors", "show", 404],
    ["/retailers/elsewhere", "errors", "show", 404],
    ["/retailers/%00%3Cscript%3E", "errors", "show", 404],
    ["/categories/nothing", "errors", "show", 404],
  ])("P7 Z5 %s is %s#%s and answers %i, in the brand's look", async (path, controller, action, status) => {
    const { response, html } = await read(path);
    expect(response.status).toBe(status);
    expect(html).toContain(`<body data-controller="${controller}" data-action="${action}">`);
    expect(html).toContain(`${club.brand.name}</title>`);
    expect(html).toContain('<main id="main"');
    expect(html).toMatch(/<h1\b/);
    expect(html).toContain('href="#main"');
  });

  test("D2 U1 there is one field called Search on a page, and it is a plain GET form", async () => {
    for (const path of ["/", "/search?q=boot", "/retailers", "/no/such/page"]) {
      const { html } = await read(path);
      expect(html.match(/<input[^>]*id="search-field"/g)).toHaveLength(1);
      expect(tag(html, "form", 'action="/search"')).toContain('method="get"');
      expect(html).toMatch(/<label for="search-field"[^>]*>Search<\/label>/);
    }
  });

  test("S1 P8 every inline script is marked, nothing has an inline style or handler, and the page is complete", async () => {
    for (const path of ["/", "/login", "/retailers/o-fell-and-sons", "/categories/walking-boots"]) {
      const { html } = await read(path);
      for (const script of html.match(/<script\b[^>]*>/g) ?? [])
        // JSON-LD is data, not script.
        if (!/\bsrc=|type="application\/ld\+json"/.test(script)) expect(script).toContain('nonce="testing-nonce"');
      const markup = html.replace(/<script\b[\s\S]*?<\/script>/g, "");
      expect(markup).not.toMatch(/\sstyle="/);
      expect(markup).not.toMatch(/\son[a-z]+="/);
      expect(html.endsWith("</html>") || html.includes("</body></html>")).toBe(true);
      expect(html).not.toContain("$RC(");
    }
  });

  test("B4 a visitor's page has nothing personal, and a member's page may not be stored", async () => {
    const member = await club.newMember();
    expect((await read("/")).html).not.toContain(member.name);
    expect((await read("/profile", { member })).response.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("Z5 an internal error is a page with status 500, reveals no internals, and is reported", async () => {
    const broken = await openClub(db);
    broken.brand.id = "not-an-id";
    const response = await broken.get("/");
    const html = await response.text();
    expect(response.status).toBe(500);
    expect(textOf(html)).toContain("Something broke on our side");
    expect(textOf(html)).not.toMatch(/uuid|syntax|select/i);
    expect(broken.errors).toHaveLength(1);
  });

  test("D6 the banner is shown to people who have not closed it, and the page carries its id", async () => {
    const { html } = await read("/");
    expect(textOf(html)).toContain("Half term is coming");
    expect(html).toMatch(/<html[^>]*data-banner="b1"/);
  });
});

describe("search", () => {
  test("D2 the field keeps the query, and offers and retailers are found", async () => {
    const { html } = await read("/search?q=boot+number");
    expect(html).toMatch(/<input[^>]*value="boot number"/);
    expect(textOf(html)).toMatch(/30 offers/);
  });

  test.each([
    ["a script", `<script>alert(1)</script>`],
    ["a way out of the field", `"><img src=x onerror=alert(1)>`],
    ["SQL", `'; drop table offers; --`],
    ["a way out of title and script", `</title></script><svg onload=alert(1)>`],
    ["turned reading direction", `\u202Egnp.exe`],
    ["a template", `{{7*7}}`],
    ["emoji", `😀👩‍👩‍👧`],
    ["10,000 letters", "a".repeat(10_000)],
    ["NUL, escaped", `%00`],
    ["NUL", `\0`],
    ["an open comment", `<!--`],
  ])("D2 hostile text is searched for and never echoed unescaped: %s", async (_, query) => {
    const { response, html } = await read(`/search?q=${encodeURIComponent(query)}`);
    expect(response.status).toBe(200);
    const shown = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
    expect(shown).not.toMatch(/<script>alert|<img src=x|<svg onload|<!--\s*<\/main/);
    // In the data for the browser, no text can end the script that holds it.
    for (const [, body] of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g))
      expect(body).not.toContain("alert(1)</");
    expect(html.length).toBeLessThan(200_000);
    expect(shown).toMatch(/<\/html>$/);
  });

  test("D2 the empty state says so and leads on", async () => {
    const { html } = await read("/search?q=zzzqqqxxx");
    expect(textOf(html)).toContain("Nothing found");
    expect(html).toContain(`href="/categories/${categorySlug}"`);
  });

  test("D2 D5 each page and sort order has an address", async () => {
    const { html } = await read("/search?q=boot&sort=newest&page=2");
    expect(textOf(html)).toContain("Page 2 of 2");
    expect(html).toContain('href="/search?q=boot&amp;sort=newest"');
    expect(html).toMatch(/<option value="newest" selected="">/);
    expect(hiddenField(html.slice(html.indexOf("list-form")), "q")).toBe("boot");
  });
});

describe("categories", () => {
  test("D4 the page has the whole text, which can be read without script", async () => {
    const { html } = await read("/categories/walking-boots");
    expect(textOf(html)).toContain("Measured feet walk further.");
  });

  test("D3 D5 a retailer with more than one page of offers has them sorted; paging keeps the sort", async () => {
    const { html } = await read("/retailers/o-fell-and-sons?sort=newest");
    expect(html).toMatch(/<option value="newest" selected="">/);
    expect(html).toContain('href="/retailers/o-fell-and-sons?sort=newest&amp;page=2"');
    expect(textOf(html)).toContain("Boot offer number 1 ");
    expect(textOf(html)).not.toContain("Boot offer number 30");
    expect(textOf((await read("/retailers/o-fell-and-sons")).html)).toContain("Boot offer number 30");
  });

  test("D5 P8 sorting is a GET form with a button; paging keeps the sort", async () => {
    const { html } = await read("/categories/walking-boots?sort=newest");
    const form = /<form[^>]*class="list-form"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
    expect(tag(form, "form", "list-form")).toContain('method="get"');
    expect(tag(form, "select", 'id="sort"')).toContain('name="sort"');
    expect(form).toMatch(/<button type="submit"[^>]*>Go<\/button>/);
    expect(html).toContain('href="/categories/walking-boots?sort=newest&amp;page=2"');
    expect(textOf(html).indexOf("Boot offer number 1 ")).toBeGreaterThan(-1);
    expect(textOf(html)).not.toContain("Boot offer number 30");
  });

  test.each(["?page=0", "?page=-1", "?page=99999", "?page=x", "?sort=drop", "?page=%00"])(
    "D5 an invalid parameter %s shows the page",
    async (query) => {
      const { response, html } = await read(`/categories/walking-boots${query}`);
      expect(response.status).toBe(200);
      expect(textOf(html)).toContain("Walking boots");
    },
  );
});

describe("retailers", () => {
  test("D3 the A to Z has every shop of this brand and no other, with names escaped", async () => {
    const { html } = await read("/retailers");
    expect(textOf(html)).toContain("O’Fell & Sons &lt;b&gt;");
    expect(html).not.toContain("Elsewhere Only");
    const { html: letter } = await read("/retailers?letter=o");
    expect(letter).toContain("o-fell-and-sons");
  });

  test("D3 a retailer's page shows the rate, the live offers, when the money arrives and the link to the retailer", async () => {
    const { html } = await read("/retailers/o-fell-and-sons");
    const text = textOf(html);
    for (const words of ["6% cashback", "30 live offers", "in 1 to 3 days", "£2.50 on £50.00"])
      expect(text).toContain(words);
    expect(html).toContain('href="/go/retailers/o-fell-and-sons"');
  });

  test.each([
    ["paused-shop", "has paused its offers"],
    ["sinking-shop", "is in administration"],
  ])("D3 %s says what is wrong and has no link to the retailer", async (slug, words) => {
    const { response, html } = await read(`/retailers/${slug}`);
    expect(response.status).toBe(200);
    expect(textOf(html)).toContain(words);
    expect(html).not.toContain("/go/");
  });
});

describe("profile", () => {
  test("M5 a visitor is sent to the login and back", async () => {
    const { response } = await read("/profile");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/login?next=%2Fprofile");
  });

  test("C3 a new member sees zero balances and a next step", async () => {
    const { html } = await read("/profile", { member: await club.newMember() });
    expect(textOf(html)).toContain("Nothing tracked yet");
    expect(textOf(html)).toContain("£0.00");
    expect(html).toMatch(/<form action="\/logout" method="post"/);
  });
});
