import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { pageEntries } from "./apps/site/pages.ts";
import routes from "./apps/site/app/routes.ts";
import { pageEntries as adminPages } from "./apps/admin/pages.ts";
import { currentRevisions, sealedRevisions } from "./bin/function-revisions.mjs";
import { migrationChecksums, sealedChecksums } from "./bin/migration-checksums.mjs";
import { requirementIds, requirementsFile, requirementsWithTests, testsByRequirement } from "./bin/requirements.mjs";

// What no tool sees (ARCHITECTURE.md). Who may import whom is in .dependency-cruiser.mjs.

const root = import.meta.dirname;
const notOurs = new Set([
  "node_modules",
  "build",
  "dist",
  "peers",
  ".git",
  ".cache",
  ".data",
  ".react-router",
  "test-results",
]);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !notOurs.has(entry.name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

const files = filesBelow("");
const isTest = (file: string) =>
  /\.(test|e2e|testing)\.tsx?$|(^|\/)(testing|browser-tests)\/|^e2e\/|^bench\//.test(file);
const code = files.filter((file) => /\.(ts|tsx|mjs|js|css)$/.test(file));
const products = code.filter(
  (file) => !isTest(file) && !/^bin\/|^mutation\/|^simulation\/|^packages\/widget\/[^/]+$|\.config\.ts$/.test(file),
);
const read = (file: string) => readFileSync(join(root, file), "utf8");
const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*$/gm, "$1");

/** Files of `among` whose code (comments aside) matches. */
const filesWith = (pattern: RegExp, among: string[]) =>
  among.filter((file) => pattern.test(withoutComments(read(file))));

interface RouteEntry {
  path?: string | undefined;
  children?: RouteEntry[] | undefined;
}

function pagePaths(entries: RouteEntry[], parent = ""): string[] {
  return entries.flatMap(({ path, children }) => {
    const full = path === undefined ? parent : `${parent}/${path}`;
    return children ? pagePaths(children, full) : [full || "/"];
  });
}

function serverPaths(): string[] {
  return filesBelow("apps/server")
    .filter((file) => file.endsWith(".ts") && !isTest(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\.(?:get|post|put|patch|delete|all|on)\(\s*"(\/[^"]*)"/g)].map(([, path]) => path ?? ""),
    );
}

describe("addresses", () => {
  test("the list of addresses changes only on purpose: bookmarks, e-mails, partners and networks hold them for years", () => {
    const admin = adminPages.map(([path]) => path);
    expect([...new Set([...pagePaths(routes as RouteEntry[]), ...admin, ...serverPaths()])].sort())
      .toMatchInlineSnapshot(`
        [
          "/",
          "/*",
          "/acting",
          "/acting/stop",
          "/admin",
          "/admin/*",
          "/admin/audit",
          "/admin/audit.csv",
          "/admin/audit/:type/:id",
          "/admin/background-work",
          "/admin/background-work/:queue",
          "/admin/background-work/:queue/work.csv",
          "/admin/brands",
          "/admin/brands.csv",
          "/admin/brands/:brand",
          "/admin/brands/:brand/legal/:page",
          "/admin/brands/:brand/look",
          "/admin/brands/new",
          "/admin/brands/preview",
          "/admin/categories",
          "/admin/categories/:category",
          "/admin/claims",
          "/admin/claims.csv",
          "/admin/claims/:claim",
          "/admin/claims/:claim/files/:file",
          "/admin/claims/packs",
          "/admin/claims/packs.csv",
          "/admin/claims/packs/:pack",
          "/admin/codes",
          "/admin/codes.csv",
          "/admin/codes/:offer",
          "/admin/disputes",
          "/admin/disputes.csv",
          "/admin/gift-cards",
          "/admin/gift-cards.csv",
          "/admin/gift-cards/floats",
          "/admin/gift-cards/lines/:line",
          "/admin/gift-cards/products",
          "/admin/gift-cards/products.csv",
          "/admin/gift-cards/products/:product",
          "/admin/imports",
          "/admin/imports.csv",
          "/admin/join/:token",
          "/admin/keys",
          "/admin/ledger",
          "/admin/ledger/accounts/:id",
          "/admin/ledger/accounts/:id/entries.csv",
          "/admin/ledger/checks",
          "/admin/ledger/checks.csv",
          "/admin/ledger/clicks/:id",
          "/admin/ledger/members/:id",
          "/admin/ledger/transfers/:id",
          "/admin/look",
          "/admin/member-types",
          "/admin/member-types.csv",
          "/admin/member-types/:type",
          "/admin/member-types/new",
          "/admin/members",
          "/admin/members.csv",
          "/admin/members/:id",
          "/admin/members/:id/access",
          "/admin/members/:id/codes",
          "/admin/members/:id/export",
          "/admin/members/:id/goodwill",
          "/admin/networks",
          "/admin/networks/:network",
          "/admin/networks/exchange-rates",
          "/admin/networks/exchange-rates.csv",
          "/admin/networks/held",
          "/admin/networks/held.csv",
          "/admin/networks/report-file",
          "/admin/notices",
          "/admin/notices.csv",
          "/admin/notices/:id",
          "/admin/notices/new",
          "/admin/offers",
          "/admin/offers.csv",
          "/admin/offers/:id",
          "/admin/offers/:id/history",
          "/admin/offers/:id/preview/:brand",
          "/admin/offers/file",
          "/admin/offers/file/template",
          "/admin/offers/new",
          "/admin/offers/own.csv",
          "/admin/operators",
          "/admin/operators.csv",
          "/admin/operators/:id",
          "/admin/operators/new",
          "/admin/partners",
          "/admin/partners.csv",
          "/admin/partners/:partner",
          "/admin/partners/:partner/usage",
          "/admin/partners/:partner/usage.csv",
          "/admin/partners/:partner/webhooks/:webhook",
          "/admin/partners/:partner/webhooks/:webhook/deliveries.csv",
          "/admin/partners/new",
          "/admin/payments",
          "/admin/payments.csv",
          "/admin/payments/:id",
          "/admin/payouts",
          "/admin/payouts.csv",
          "/admin/payouts/:id",
          "/admin/payouts/batches",
          "/admin/payouts/batches.csv",
          "/admin/payouts/batches/:number",
          "/admin/payouts/batches/:number/file",
          "/admin/payouts/holds",
          "/admin/payouts/holds.csv",
          "/admin/payouts/reports",
          "/admin/payouts/reports.csv",
          "/admin/payouts/reports/:id",
          "/admin/proof-kinds",
          "/admin/proof-kinds.csv",
          "/admin/proof-kinds/:kind",
          "/admin/proof-kinds/new",
          "/admin/questions",
          "/admin/questions.csv",
          "/admin/questions/:id",
          "/admin/questions/new",
          "/admin/referrals",
          "/admin/referrals.csv",
          "/admin/referrals/:referral",
          "/admin/reports",
          "/admin/reports/:report",
          "/admin/reports/:report/table.csv",
          "/admin/reports/money",
          "/admin/reports/money/table.csv",
          "/admin/retailers",
          "/admin/retailers.csv",
          "/admin/retailers/:retailer",
          "/admin/retailers/:retailer/claims",
          "/admin/retailers/:retailer/history",
          "/admin/retailers/:retailer/merge",
          "/admin/retailers/:retailer/rates",
          "/admin/retailers/new",
          "/admin/sign-in",
          "/admin/sign-in/code",
          "/admin/sign-in/set-up",
          "/admin/sign-out",
          "/admin/subjects",
          "/admin/subjects.csv",
          "/admin/subjects/:id",
          "/admin/subjects/new",
          "/admin/thresholds",
          "/admin/thresholds/:threshold",
          "/admin/thresholds/:threshold/history",
          "/admin/verifications",
          "/admin/verifications.csv",
          "/admin/verifications/:id",
          "/admin/verifications/:id/file",
          "/admin/views",
          "/alerts/stop",
          "/api/*",
          "/api/Telemetry",
          "/api/Telemetry/batch",
          "/api/additional-fields/:memberType",
          "/api/job-categories/:id/job-roles",
          "/api/job-categories/:memberType",
          "/api/job-roles/:id",
          "/api/partner/openapi.json",
          "/api/partner/payments",
          "/api/partner/payments/:id",
          "/api/partner/payments/:id/cancel",
          "/api/partner/payments/:id/refunds",
          "/api/partner/sessions",
          "/api/partner/sessions/:id/expire",
          "/api/partner/webhook-deliveries",
          "/api/partner/webhook-deliveries/:id",
          "/api/partner/webhook-deliveries/:id/replay",
          "/api/partner/webhooks",
          "/api/partner/webhooks/:id/rotate",
          "/api/partner/webhooks/:id/test",
          "/api/payments",
          "/api/payments/:id",
          "/api/portal/token",
          "/api/suggestions",
          "/apple-touch-icon-precomposed.png",
          "/apple-touch-icon.png",
          "/art/*",
          "/art/:kind{retailers|categories|gift-cards}/:file{[a-z0-9-]{1,100}\\\\.svg}",
          "/assets/*",
          "/banner-closed",
          "/brand/:file",
          "/carer-migration",
          "/carer-migration/confirm",
          "/categories/:slug",
          "/check",
          "/confirm-email",
          "/cookies",
          "/digital-id",
          "/digital-id/device",
          "/digital-id/offline",
          "/faq/:category?/:question?",
          "/favicon.ico",
          "/favourites",
          "/favourites/wanted",
          "/forgotten-password",
          "/gift-cards",
          "/gift/:token",
          "/go/app/:publicId",
          "/go/offers/:publicId",
          "/go/offers/:publicId/pre-flight",
          "/go/retailers/:slug",
          "/go/retailers/:slug/pre-flight",
          "/healthz",
          "/join/:code",
          "/legal/:page",
          "/login",
          "/login/again",
          "/login/code",
          "/login/passkey",
          "/logout",
          "/manifest.webmanifest",
          "/metrics",
          "/money",
          "/money/bank-details",
          "/money/claims",
          "/money/claims/:claim",
          "/money/claims/:claim/evidence",
          "/money/claims/:claim/evidence/file",
          "/money/claims/new",
          "/money/friends",
          "/money/gift-cards",
          "/money/gift-cards/:card",
          "/money/gift-cards/:card/gift",
          "/money/gift-cards/offline",
          "/money/purchases",
          "/money/purchases.csv",
          "/money/purchases/:purchase",
          "/money/receipts/:number",
          "/money/receipts/:number/:file",
          "/money/withdraw",
          "/money/withdraw/gift-cards",
          "/money/withdraw/gift-cards/:card",
          "/offers/:slug",
          "/offline",
          "/partners",
          "/pay",
          "/portal",
          "/portal/basket",
          "/portal/cards/:slug",
          "/portal/categories/:slug",
          "/portal/orders",
          "/portal/orders/:order",
          "/portal/orders/:order/payment",
          "/portal/search",
          "/profile",
          "/profile/access",
          "/profile/access/:request",
          "/profile/details",
          "/profile/notifications",
          "/profile/privacy",
          "/profile/privacy/close",
          "/profile/privacy/export",
          "/profile/security",
          "/profile/security/emails",
          "/profile/security/passkeys",
          "/profile/security/password",
          "/profile/security/two-step",
          "/readyz",
          "/redirect",
          "/register",
          "/register/details",
          "/register/draft",
          "/register/sent",
          "/remove-bank-details",
          "/reset-password",
          "/retailers",
          "/retailers/:slug",
          "/robots.txt",
          "/search",
          "/sitemap.xml",
          "/sitemaps/:file{(pages|categories|retailers|offers)-[1-9][0-9]{0,3}\\\\.xml}",
          "/status",
          "/sw.js",
          "/undo-email-change",
          "/unsubscribe",
          "/verification",
          "/verification/attachment",
          "/verification/attachment/:id",
          "/verification/work-email",
          "/webhooks/*",
          "/webhooks/:network/:secret",
          "/webhooks/stripe",
          "/widget/*",
          "/widget/:file",
          "/widget/:version/:file",
          "/widget/integrity.json",
          "/widget/versions.json",
        ]
      `);
  });
});

describe("time", () => {
  const served = products.filter((file) =>
    /^(apps\/server|apps\/site\/server|packages\/core|packages\/providers)\/.*\.ts$/.test(file),
  );

  test("R1 time that passes is measured by performance.now(): a wall clock that jumps makes nothing older, younger or due", () => {
    // What a log's reader wants is the wall clock's time.
    const allowed = ["apps/server/monitoring/logger.ts"];
    expect(filesWith(/\bDate\.now\b/, served)).toEqual(allowed);
  });

  test("R1 the moment comes in as `now`, from whoever starts a part: tests move it, and one round has one moment", () => {
    // As the default of a `now`, or as the moment that is handed on.
    const elsewhere = served.filter((file) =>
      /new Date\(\)/.test(
        withoutComments(read(file)).replaceAll(
          /\bnow(?: \?\? \()?(?:: \(\) =>| = \(\) =>|\(\) =>|:| =) new Date\(\)/g,
          "",
        ),
      ),
    );
    // A command's default for what a person may also type.
    expect(elsewhere).toEqual(["apps/server/commands/generate-catalogue.ts"]);
  });
});

describe("what a page reads of its address", () => {
  const sitePages = products.filter((file) => /^apps\/site\/app\/.*\.tsx?$/.test(file));

  test("S1 pages read their query through readParameters alone: what they read is declared, and the page cache drops the rest", () => {
    const pattern =
      /\bsearchParams\b|useSearchParams|\bsearch\b[^;={}]*\} = (?:useLocation|new URL)\(|(?:location|url|\))\.search\b/i;
    // Both make the page's address by the same declaration.
    expect(filesWith(pattern, sitePages)).toEqual(["apps/site/app/members-only.ts", "apps/site/app/root.tsx"]);
  });

  test("S1 each page reads the parameters that are declared for its own address", () => {
    const addresses = new Map(pageEntries.map(([path, { file }]) => [`apps/site/app/${file}`, path]));
    const readings = sitePages.flatMap((file) =>
      [...read(file).matchAll(/readParameters\(\s*\w+,\s*("[^"]*"|[^)]*)/g)].map(([, path]) => ({ file, path })),
    );
    expect(readings.length).toBeGreaterThan(20);
    expect(readings.filter(({ file, path }) => path !== JSON.stringify(addresses.get(file)))).toEqual([]);
  });
});

describe("forms", () => {
  test("M3 what forms say of a missing value stands in core/forms/rules.ts alone: typed again, the words lose their mark", () => {
    const others = products.filter((file) => file !== "packages/core/forms/rules.ts" && !file.endsWith("examples.tsx"));
    expect(filesWith(/is a required field/i, others)).toEqual([]);
  });
});

describe("settings", () => {
  test("process.env is read in apps/server/env.ts alone: there every setting is checked at start and documented", () => {
    const allowed = new Set(["apps/server/env.ts", "sandbox/main.ts"]);
    expect(
      filesWith(
        /\bprocess\s*\.\s*env\b|import\.meta\.env\.(?!DEV|PROD|SSR|MODE)/,
        products.filter((file) => !allowed.has(file)),
      ),
    ).toEqual([]);
  });
});

describe("proxies", () => {
  test("forwarded headers are read in request-origin.ts alone: anywhere else a stranger's word would pass for the proxy's", () => {
    const reading =
      /(?<!headers\.delete\()["'`](x-forwarded-[a-z]+|x-real-ip|forwarded|x-client-ip|cf-connecting-ip)["'`]/i;
    // It lists them to notice that a request was forwarded, and believes none.
    const allowed = new Set(["apps/server/http/request-origin.ts", "apps/server/monitoring/health-routes.ts"]);
    expect(
      filesWith(
        reading,
        products.filter((file) => file.startsWith("apps/") && !allowed.has(file)),
      ),
    ).toEqual([]);
  });
});

describe("money", () => {
  test("toFixed and parseFloat stand in core/money alone: anywhere else a penny gets lost in a float", () => {
    const candidates = products.filter((file) => !file.startsWith("packages/core/money/"));
    expect(filesWith(/\.toFixed\(|\bparseFloat\(/, candidates)).toEqual([]);
  });
});

describe("locks", () => {
  test("members are locked for no key update: the stronger lock stops every row that refers to a member, and deadlocks with it", () => {
    const statements = products.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(/selectFrom\("members[^;]*;|from members\b[^`]*`/g)].map(([text]) => [
        file,
        text,
      ]),
    );
    expect(statements.length).toBeGreaterThan(20);
    const strong = statements.filter(([, text]) =>
      /\.forUpdate\(\)|\.forUpdate\([^)]*members|for update\b(?! of (?!member))/.test(text!),
    );
    expect(strong).toEqual([]);
  });
});

describe("brands", () => {
  test("no brand's slug stands in code: an operator creates a ninth brand without a deploy (B5)", () => {
    const brands = JSON.parse(read("packages/db/seeds/brands.json")) as { slug: string }[];
    const slugs = new RegExp(`\\b(${brands.map(({ slug }) => slug).join("|")})\\b`, "i");
    // The themes' own names, and the demo catalogue, which is data about the demo brands.
    const data = /^packages\/db\/seeds\/|^apps\/site\/app\/themes\/|^packages\/demo-catalogue\//;
    const candidates = products.filter((file) => !data.test(file));
    expect(brands.length).toBeGreaterThan(0);
    expect(filesWith(slugs, candidates)).toEqual([]);
  });
});

describe("cookies", () => {
  /** How code makes a cookie. */
  const writing = /SameSite=|Max-Age=|document\.cookie = |hostCookie\(\s*["'`A-Z]/;
  /** What only operators get. */
  const forOperators = new Set(["farthing_operator", "farthing_acting", "farthing_admin_look", "farthing_admin_next"]);
  const candidates = products.filter((file) => /^(apps|packages)\//.test(file));
  const constants = new Map(
    candidates.flatMap((file) =>
      [...read(file).matchAll(/\bconst ([A-Z_]*(?:COOKIE|NAME)) = "(\w+)"/g)].map(
        ([, constant, value]) => [constant!.endsWith("COOKIE") ? constant! : `${file} ${constant}`, value!] as const,
      ),
    ),
  );

  /** Returns the names of the cookies that a file makes; `…` stands for what differs. */
  function cookiesIn(file: string): string[] {
    const text = withoutComments(read(file));
    const made = [...text.matchAll(/\bhostCookie\(\s*(?:(["'`])(.+?)\1|(\w+))/g)].map(
      ([, , name, constant]) => `farthing_${name?.replace(/\$\{\w+\}/g, "…") ?? constants.get(constant!)}`,
    );
    const named = [...text.matchAll(/\b(?:nameOf|cookieName)\((?:origin, )?"(\w+)"/g)].map(
      ([, name]) => `farthing_${name}`,
    );
    const literal = [...text.matchAll(/"(farthing_\w+)"/g)].map(([, name]) => name!);
    const constant = [...text.matchAll(/\b[A-Z_]*COOKIE\b/g)].map(([name]) => constants.get(name) ?? "");
    const own = constants.get(`${file} NAME`) ?? "";
    const all = [...made, ...named, ...literal, ...constant, own].filter((name) => /^(farthing|favourite)_/.test(name));
    return [...new Set(all)];
  }
  const writers = filesWith(writing, candidates).filter((file) => file !== "apps/server/http/host-cookie.ts");

  test("every file that makes one names it in a way that this test reads: a cookie that it missed would have no row", () => {
    expect(writers.length).toBeGreaterThan(15);
    expect(writers.filter((file) => cookiesIn(file).length === 0)).toEqual([]);
  });

  test("each has a row on the page for visitors, and no other does: the page says that it has every cookie (T6)", () => {
    const page = read("packages/db/seeds/legal/cookies.md");
    const rows = [...page.matchAll(/^\| ((?:farthing|favourite)_[\w…]+) \|/gm)].map(([, name]) => name!);
    const made = new Set(writers.flatMap(cookiesIn).filter((name) => !forOperators.has(name)));
    expect(rows.toSorted()).toEqual([...made].toSorted());
  });
});

describe("migrations", () => {
  const migrations = readdirSync(join(root, "packages/db/migrations")).filter((name) => name !== "checksums.json");

  test("they are .sql files with a number each: SQL stays SQL, and they run in the order of their numbers", () => {
    expect(migrations.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([]);
    const numbers = migrations.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  test("none is edited once it is sealed, and all are: a database that has run it would never see the change (npm run db:seal)", () => {
    expect(sealedChecksums()).toEqual(migrationChecksums());
  });

  test("none defines a function, functions live one to a file: a reader finds the one that holds, and a change is one diff", () => {
    const defining = migrations.filter((name) =>
      /create\s+(or\s+replace\s+)?(function|procedure|view)\b/i.test(read(`packages/db/migrations/${name}`)),
    );
    expect(defining).toEqual([]);
  });

  test("every changed function is sealed as a new revision: an older process would put its own back over it (npm run db:seal)", () => {
    expect(sealedRevisions()).toEqual(currentRevisions());
  });

  test("every table is in the glossary: a noun that nobody explained gets a second meaning", () => {
    const glossary = read("docs/glossary.md");
    const sources = [...migrations.map((name) => `packages/db/migrations/${name}`), "packages/db/migrate.ts"];
    const tables = sources.flatMap((file) =>
      [
        ...read(file).matchAll(
          /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?"?(\w+)"?(?!\s+partition)/gim,
        ),
      ].map(([, table]) => table ?? ""),
    );
    const dropped = new Set(
      migrations.flatMap((name) =>
        [...read(`packages/db/migrations/${name}`).matchAll(/^\s*drop\s+table\s+(\w+)/gim)].map(([, table]) => table),
      ),
    );
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter((table) => !dropped.has(table) && !glossary.includes(`\`${table}\``))).toEqual([]);
  });

  test("no word is in the glossary twice: a word with two meanings tells nobody which is meant", () => {
    const rows = read("docs/glossary.md").matchAll(/^\| (.+?) +\|.*\n(\| -)?/gm);
    const words = [...rows].flatMap(([, word = "", isHeader]) => (isHeader === undefined ? word.split(", ") : []));
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });
});

describe("nouns", () => {
  const nounOf = (path: string) => /^packages\/core\/([^/]+)\//.exec(path)?.[1];

  test("no two nouns of core need each other: what goes round in a circle can only be understood as one lump", () => {
    const needs = new Map<string, Set<string>>();
    for (const file of products.filter((path) => nounOf(path))) {
      const noun = nounOf(file) ?? "";
      for (const [, target = ""] of read(file).matchAll(/from "(?:@farthing\/core|\.\.)\/([\w-]+)\/[^"]+"/g)) {
        if (target !== noun && existsSync(join(root, "packages/core", target)))
          needs.set(noun, (needs.get(noun) ?? new Set()).add(target));
      }
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(needs.get(from) ?? [])].some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    expect([...needs.keys()].filter((noun) => reaches(noun, noun))).toEqual([]);
  });

  test("folders of pages and of the server bear core's nouns: who looks for a noun finds it under one name in every wall", () => {
    const foldersOf = (folder: string) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !notOurs.has(entry.name))
        .map(({ name }) => name);
    const nouns = new Set([...foldersOf("packages/core"), ...foldersOf("packages/core/catalogue")]);
    // Each with its reason.
    const others: Record<string, string> = {
      admin: "mounts the operators' admin; its pages are in apps/admin",
      art: "serves what packages/art draws",
      attacks: "tests that attack every noun at once",
      commands: "one file for each npm run command",
      doctor: "looks at a whole installation, whatever the noun (npm run doctor)",
      development: "demo data, and pages from source: nothing of it runs in production",
      errors: "pages for what is not there, fails, or has no connection",
      wallet: "a member's own gift cards and presents, whose rules are in core's gift-cards",
      http: "what every request passes before it reaches a noun",
      jobs: "how background work is run; the work itself is its noun's",
      monitoring: "log, metrics and health",
      pages: "how pages are rendered and cached, whatever their noun",
      portal: "the gift-cards shop, whose pages are for frames only",
      process: "start, stop and the database of the process",
      setup: "makes the settings, the first brand and the first operator of an installation (farthing setup)",
      "service-worker": "the browser wants one script for the whole site",
      tracing: "where the time of a request or job goes, whatever its noun (docs/operations/tracing.md)",
      widget: "serves what packages/widget builds",
    };
    const found = [...foldersOf("apps/site/app/routes"), ...foldersOf("apps/server")];
    expect(found.filter((name) => !nouns.has(name) && !(name in others))).toEqual([]);
    expect(Object.keys(others).filter((name) => !found.includes(name) || nouns.has(name))).toEqual([]);
  });

  test("no folder is called utils, lib, helpers, misc or common: a drawer for anything is where things are lost", () => {
    expect(files.filter((file) => /(^|\/)(utils?|lib|helpers?|misc|common|shared)\//.test(file))).toEqual([]);
  });

  test("no file is called index: a barrel hides where a thing lives and loads what nobody asked for", () => {
    expect(code.filter((file) => /^index\.(ts|tsx|js|mjs)$/.test(basename(file)))).toEqual([]);
  });
});

const documents = files.filter((file) => file.endsWith(".md") && !/^CHANGELOG|\/(decisions)\//.test(file));

describe("documents", () => {
  test("every path they name exists: a map with streets that are gone sends people the wrong way", () => {
    const tops = readdirSync(root).filter((name) => !notOurs.has(name));
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/`([^`\s]+\/[^`\s]*)`/g)]
        .map(([, path]) => path ?? "")
        .filter((path) => tops.includes(path.split("/")[0] ?? "") && !path.includes("node_modules"))
        // Of a pattern, the part before it has to exist.
        .map((path) => path.replace(/[^/]*([*<{[…]|NNNN).*$/, "").replace(/[:#].*$/, ""))
        .filter((path) => !existsSync(join(root, path)) && !/^apps\/site\/build/.test(path))
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test("every file they link exists", () => {
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, path]) => join(document, "..", path ?? ""))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test("every path that a comment names exists", () => {
    const comments = /\/\*[^]*?\*\/|(?:^|\s)(?:\/\/|-- ).*$/gm;
    // Migrations are sealed, so their comments name no paths of code.
    const functions = files.filter((file) => /^packages\/db\/functions\/.*\.sql$/.test(file));
    const missing = [...code, ...functions].flatMap((file) =>
      [...read(file).matchAll(comments)]
        .flatMap(([comment]) => [
          ...comment.matchAll(/\b((?:apps|packages|bin|docs|e2e|bench|sandbox)\/[\w./-]*\w\.\w+)/g),
        ])
        .map(([, path]) => path ?? "")
        .filter((path) => !existsSync(join(root, path)) && !/\/(build|dist)\//.test(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

describe("requirements", () => {
  const known = new Set(requirementIds());

  test("every id that code, tests or documents cite is in docs/requirements.md: a citation that leads nowhere explains nothing", () => {
    const cited = [...code, ...documents].flatMap((file) =>
      [
        ...read(file).matchAll(
          /\((?:product\.md )?([A-Z]\d{1,2}(?:(?:, | and )[A-Z]\d{1,2})*)\)|product\.md ([A-Z]\d{1,2})/g,
        ),
      ]
        .flatMap(([, list, single]) => (list ?? single ?? "").split(/, | and /))
        .map((id) => ({ id, file })),
    );
    const named = [...testsByRequirement()].flatMap(([id, tests]) => [...tests.keys()].map((file) => ({ id, file })));
    expect(known.size).toBeGreaterThan(0);
    expect([...cited, ...named].filter(({ id }) => !known.has(id))).toEqual([]);
  });

  test("docs/requirements.md links the tests that there are: run npm run requirements", () => {
    expect(
      read("docs/requirements.md") === requirementsWithTests() ? "current" : `out of date: ${requirementsFile}`,
    ).toBe("current");
  });
});

describe("packages", () => {
  test("the lock file names no registry: it has to install from whichever one a machine is given", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    expect(Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([]);
  });
});
