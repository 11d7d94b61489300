import { type Brand, homeSections } from "@farthing/core/brands/brand.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { withTestLock } from "@farthing/db/testing/test-lock.ts";
import { beforeAll } from "vitest";
import { ensureSiteBuilt } from "../../../bin/site-build.mjs";
import type { LogInResult } from "../server/account-services.ts";
import type { CreateSite, SiteServices } from "../server/site-handler.ts";
import type { ActingVisit, SignedInMember, Visit, WidgetVisit } from "../server/visit.ts";

export const DIGITAL_ID_KEY = "a key for digital IDs that only tests know";
export const REVEAL_SECRET = "a secret that only this test knows, long enough to be one";

let createSite: CreateSite;
let routes: Record<string, BuiltRoute>;

interface SiteBuild {
  createSite: CreateSite;
  routes: Record<string, BuiltRoute>;
}

interface BuiltRoute {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: { action?: unknown; loader?: unknown };
}

/** Returns the built site, as the server starts it. Call `loadSite` first. */
export const builtSite: CreateSite = (services) => createSite(services);

/** Returns every address of the site as it was built, with a leading slash, and what it answers. */
export function siteRoutes(): { path: string; hasAction: boolean; hasLoader: boolean }[] {
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !parents.has(id))
    .map(({ path = "", module }) => ({
      path: `/${path}`,
      hasAction: module.action !== undefined,
      hasLoader: module.loader !== undefined,
    }));
}

/**
 * Loads the site's build once per test file, after building it where the sources have changed. A Request goes in and a
 * Response comes out, without a port or a browser.
 */
export function loadSite(): void {
  beforeAll(async () => {
    // Test files start at the same time. One builds, and the others wait for it.
    await withTestLock("the site's build", ensureSiteBuilt);
    const build = new URL("../build/server/create-site.js", import.meta.url);
    ({ createSite, routes } = (await import(build.href)) as SiteBuild);
  });
}

export const GIFT_CARD_KEYS = ["a key of tests"] as const;

export interface TestClub {
  brand: Brand;
  /** Answers a request of a visitor, or of `member`. `path` begins with a slash. */
  get(
    path: string,
    options?: {
      member?: SignedInMember | null;
      acting?: ActingVisit | null;
      widget?: WidgetVisit | null;
      headers?: Record<string, string>;
    },
  ): Promise<Response>;
  post(
    path: string,
    form: Record<string, string>,
    options?: { member?: SignedInMember | null; widget?: WidgetVisit | null; headers?: Record<string, string> },
  ): Promise<Response>;
  newMember(): Promise<SignedInMember>;
  services: SiteServices;
  errors: unknown[];
}

/** Opens a brand of its own on the site, with the clock at NOW. `logIn` is the result of every login. */
export async function openClub(
  db: Db,
  {
    logIn = { outcome: "refused" } as LogInResult,
    now = () => NOW,
    banner = null as Brand["banner"],
    home = [...homeSections] as Brand["home"],
  } = {},
): Promise<TestClub> {
  const inserted = await insertBrand(db, { hasApp: true });
  const { id, slug } = inserted;
  const origin = `http://${slug}.localhost`;
  const brand: Brand = {
    ...inserted,
    name: `Club ${slug}`,
    strapline: "Money back for testers",
    mainHost: `${slug}.localhost`,
    features: { ...inserted.features, appExclusive: true },
    storeLinks: { ios: "https://apps.example/ios", android: null },
    menu: [{ label: "Shoes", href: "/categories/shoes" }],
    home,
    banner,
    legalPages: [{ slug: "terms", title: "Terms" }],
    registration: { minimumAge: 18, residence: ["GB", "IM", "JE", "GG"] },
  };
  const errors: unknown[] = [];
  const services: SiteServices = {
    db,
    accounts: {
      logIn: async () => logIn,
      logOut: async () => new Headers({ "Set-Cookie": "session=; Max-Age=0" }),
      hashPassword: async () => "hash of a password",
      openSession: async (_visit, _request, memberId) => new Headers({ "Set-Cookie": `session=of-${memberId}` }),
      askForPasskey: () => ({ optionsJson: "{}", challenge: "a challenge" }),
      ...accountsNotPlayed,
    },
    revealSecret: REVEAL_SECRET,
    previewKey: "a key of previews in tests",
    registrationSecret: "another secret that only tests know",
    unsubscribeKeys: ["a secret for links in mails"],
    payeeKeys: ["a secret for bank details"],
    bankKeys: ["a key for bank details"],
    giftCards: {
      keys: GIFT_CARD_KEYS,
      issuers: new Map(),
      cards: null,
      presentCookie: (publicId) => ({
        openerIn: (header) => new RegExp(`present_${publicId}=([\\w-]+)`).exec(header ?? "")?.[1] ?? null,
        set: (opener) => `present_${publicId}=${opener}; HttpOnly`,
      }),
    },
    digitalIdKey: DIGITAL_ID_KEY,
    now,
    reportError: (error) => errors.push(error),
  };
  const answer = (
    request: Request,
    member: SignedInMember | null,
    widget: WidgetVisit | null = null,
    acting: ActingVisit | null = null,
  ): Promise<Response> => {
    const visit: Visit = { requestId: "test", brand, member, acting, nonce: "testing-nonce", origin, widget };
    return createSite(services)(request, visit);
  };
  return {
    brand,
    services,
    errors,
    get: (path, { member = null, acting = null, widget = null, headers = {} } = {}) =>
      answer(new Request(origin + path, { headers }), member, widget, acting),
    post: (path, form, { member = null, widget = null, headers = {} } = {}) =>
      answer(
        new Request(origin + path, {
          method: "POST",
          headers: { Origin: origin, ...headers },
          body: new URLSearchParams(form),
        }),
        member,
        widget,
      ),
    async newMember() {
      const member = await insertSignedInMember(db, { brandId: id });
      return {
        id: member.id,
        sessionId: member.sessionId,
        name: "Ada Tester",
        email: "ada@example.org",
        verification: "verified",
      };
    },
  };
}

const notPlayed = async (): Promise<never> => {
  throw new Error("The test club has no such account service. Pass real ones in the club's services.");
};
const accountsNotPlayed = {
  logInWithCode: notPlayed,
  logInWithPasskey: notPlayed,
  rotateSession: notPlayed,
  confirmWithPassword: notPlayed,
  confirmWithPasskey: notPlayed,
  changePassword: notPlayed,
  forgotPassword: notPlayed,
  resetPassword: notPlayed,
  prepareSecondFactor: notPlayed,
  turnOnSecondFactor: notPlayed,
  turnOffSecondFactor: notPlayed,
  renewRecoveryCodes: notPlayed,
  prepareNewPasskey: notPlayed,
  addPasskey: notPlayed,
};

/** Returns the value of a hidden field in a page, or null. */
export function hiddenField(html: string, name: string): string | null {
  const field = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0];
  return field ? (/value="([^"]*)"/.exec(field)?.[1] ?? null) : null;
}

/**
 * Returns the opening tag of the first `name` element that contains `attribute`, or "". Attributes come in no
 * fixed order.
 */
export function tag(html: string, name: string, attribute: string): string {
  return (
    [...html.matchAll(new RegExp(`<${name}\\b[^>]*>`, "g"))]
      .map(([text]) => text)
      .find((text) => text.includes(attribute)) ?? ""
  );
}

/** Returns the text of a page: without scripts, styles and tags, with entities decoded. */
export function textOf(html: string): string {
  return html
    .replace(/<script\b[\s\S]*?<\/script>/g, " ")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();
}
