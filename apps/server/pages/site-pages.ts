import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FavouriteKey } from "@farthing/core/favourites/schema.ts";
import type { Refusal, Visit } from "@farthing/site/server/visit.ts";
import { factsOf } from "@farthing/site/pages.ts";
import { findPage } from "@farthing/site/server/find-page.ts";
import { isFramePage } from "@farthing/site/server/framing.ts";
import { canonicalAddress } from "@farthing/site/server/page-parameters.ts";
import { wholeBody, wholeResponse } from "@farthing/site/server/whole-response.ts";
import { chooseEncoding } from "../http/choose-encoding.ts";
import { isUnchanged } from "../http/is-unchanged.ts";
import { newRequestId } from "../http/request-id.ts";
import { plainPage } from "../http/plain-page.ts";
import type { CardFormSources } from "../payments/card-form-sources.ts";
import type { SessionCookie } from "../sign-in/session-cookie.ts";
import { LOCKED_DOWN_POLICY } from "../http/security-headers.ts";
import { createAllowances } from "./allowances.ts";
import { MEMBER_NAME_HOLE, membersPage, type MembersPage, MONEY_HOLE, TELEMETRY_USER_HOLE } from "./members-page.ts";
import { membersPages } from "./members-pages.ts";
import { mayUseCache, PageCache } from "./page-cache.ts";
import { forFrame, putAddress, renderInPlace } from "./frame-page.ts";
import type { SiteHandler } from "./site-handler.ts";
import type { StoredPage } from "./page-store.ts";
import { RenderingGate, type RenderingGateOptions, RenderingRefusedError } from "./rendering-gate.ts";
import { developmentPolicy, sealPage } from "./seal-page.ts";
import { storedPage } from "./stored-page.ts";
import type { TrackingSources } from "./tracking-sources.ts";

export interface SitePagesOptions {
  site: SiteHandler;
  /** Returns the visit of a visitor without a session to an origin; null if no brand has that origin. */
  strangerAt(origin: string): Promise<Visit | null>;
  publicScheme: "http" | "https";
  sessionCookie: SessionCookie;
  onError(error: unknown): void;
  /** Returns the keys of a member's favourites, for the pages that all members share. */
  favouritesOf(memberId: string): Promise<readonly FavouriteKey[]>;
  /** Returns a sentence about a member's money, for the pages that all members share. */
  moneyOf(memberId: string): Promise<string>;
  /** Returns the pseudonym of a member's telemetry, for the pages that all members share. None by default. */
  telemetryUserOf?: (member: { brandId: string; memberId: string }) => string;
  /** Returns whether the page asks this member something that it does not ask others; never by default. */
  asksMember?: (visit: Visit, path: string) => Promise<boolean>;
  onCache(outcome: "hit" | "miss" | "bypass"): void;
  /**
   * Called when a page is not rendered for a visitor without a session: too many from their address, or too
   * many waiting.
   */
  onRefused?: RenderingGateOptions["onRefused"];
  /** Other origins that the pages' script may ask (PolicyOptions). */
  connectsTo?: readonly string[];
  /** Returns what a brand's pages may load for telemetry and tags. Nothing by default. */
  trackingOf?: (brand: Visit["brand"]) => TrackingSources;
  /** What pages that open the card form (`opensCardForm` in pages.ts) may load of the card provider. */
  cardForm?: CardFormSources | null;
  /** Headers of every page, so that a stored page is complete. */
  headers: Record<string, string>;
  /** Pages come from source: no cache, and the policy that hot reload needs. */
  devPages?: boolean;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  /** Bounds on renderings for visitors without a session. */
  limits?: Omit<RenderingGateOptions, "now" | "onRefused">;
}

export interface SitePages {
  /** Pages for visitors without a session. */
  cache: PageCache<StoredPage>;
  /** Pages for members, with holes for what belongs to one of them. */
  membersCache: PageCache<MembersPage>;
  answer(request: Request, visit: Visit): Promise<Response>;
  /**
   * Answers a request for another address with the page at `path`, in a partner's frame (`visit.widget`). Redirects
   * within the site are followed here, so that none reaches the browser. Returns null if they lead elsewhere, or to a
   * page that is never shown in a frame.
   */
  answerInFrame(request: Request, visit: Visit, path: string): Promise<Response | null>;
  /**
   * Renders the home page of a brand as it is given, saved or not, as a picture: without script and without what is asked
   * of visitors (B5).
   */
  preview(brand: Visit["brand"], origin: string): Promise<string>;
  /**
   * Renders a refusal in the look of the brand at this origin (Z5). Returns null if no brand has the origin, its site
   * does not show the refusal, or nothing is rendered for this address now.
   */
  answerRefusal(
    request: Request,
    visitor: { origin: string; address: string },
    refusal: Refusal,
  ): Promise<Response | null>;
}

const compressors = {
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 4 }),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
};

/**
 * Forms that visitors without a session may post from one address: each renders a page, and a registration takes
 * some twenty.
 */
const postAllowance = { burst: 120, perSecond: 20 };

/** Returns an unpredictable nonce for one rendering. */
export function newNonce(): string {
  return randomBytes(18).toString("base64url");
}

/**
 * Turns the site's rendered pages into answers: sealed (CSP), cached for visitors without a session, private for
 * members, compressed.
 */
export function sitePages(options: SitePagesOptions): SitePages {
  const { publicScheme, sessionCookie, onCache, devPages = false, connectsTo = [], cardForm = null } = options;
  const site = withoutDeepPaths(options.site);
  const { onRefused = () => {}, now = () => performance.now() } = options;
  const gate = new RenderingGate({ ...options.limits, now, onRefused });
  const posts = createAllowances({ ...postAllowance, now });
  const shared = { onRefreshError: options.onError, canonical: canonicalAddress, now };
  const cache = new PageCache({ ...shared, render: renderForAll({}), keep: storedPage, gate });
  const membersCache = new PageCache({
    ...shared,
    render: renderForAll({
      anyMember: { name: MEMBER_NAME_HOLE, telemetryUser: TELEMETRY_USER_HOLE, money: MONEY_HOLE },
    }),
    keep: membersPage,
    // Members go first, and are not charged.
    gate: { spend: () => true, charge: () => {}, run: (_, render) => gate.runFirst(render) },
  });

  const { favouritesOf, moneyOf, telemetryUserOf = () => "", asksMember = async () => false } = options;
  const members = membersPages({ cache: membersCache, favouritesOf, moneyOf, telemetryUserOf, asksMember, onCache });

  /** Returns the function that renders pages for all visitors, or for all members: it knows nobody. */
  function renderForAll(audience: Pick<Visit, "anyMember">) {
    return async (origin: string, path: string): Promise<Response> => {
      const visit = await options.strangerAt(origin);
      if (!visit) return new Response(null, { status: 421 });
      return sealed(await site(new Request(origin + path), { ...visit, ...audience }), visit, path);
    };
  }

  async function sealed(answer: Response, visit: Visit, path?: string): Promise<Response> {
    const headers = new Headers(answer.headers);
    const policies = {
      framedBy: visit.widget?.origin,
      connectsTo,
      cardForm: opensCardForm(path) ? cardForm : null,
      // Nothing is measured in a partner's frame, or of an operator who acts as a member.
      tracking: visit.widget || visit.acting ? null : options.trackingOf?.(visit.brand),
    };
    if (policies.cardForm) headers.set("Permissions-Policy", withPayments(options.headers["Permissions-Policy"]));
    for (const [name, value] of Object.entries(options.headers)) if (!headers.has(name)) headers.set(name, value);
    if (policies.framedBy !== undefined) forFrame(headers);
    const whole = wholeBody(answer);
    if (!headers.get("content-type")?.startsWith("text/html") || (whole === null && answer.body === null)) {
      if (!headers.has("content-security-policy")) headers.set("Content-Security-Policy", LOCKED_DOWN_POLICY);
      return new Response(answer.body, { status: answer.status, headers });
    }
    const { html, policy } = sealPage(typeof whole === "string" ? whole : await answer.text(), visit.nonce, {
      publicScheme,
      ...policies,
    });
    headers.set("Content-Security-Policy", devPages ? developmentPolicy(policies) : policy);
    headers.delete("Content-Length");
    return wholeResponse(html, { status: answer.status, headers });
  }

  async function answerPersonally(request: Request, visit: Visit): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = isReading(request) ? canonicalAddress(pathname + search) : pathname + search;
    const answer = await inTurn(request, visit, async () =>
      sealed(await site(requestFor(request, visit, path), visit), visit, path),
    );
    if (!answer.headers.has("cache-control"))
      answer.headers.set("Cache-Control", visit.member ? "private, no-store" : "no-cache");
    // Not even what every device may keep: the page names the operator.
    if (visit.acting) answer.headers.set("Cache-Control", "private, no-store");
    answer.headers.append("Vary", "Cookie");
    return compressed(breakFormChain(request, answer), request);
  }

  /**
   * Members first; strangers when and as often as the gate lets them. Forms don't queue: while the body arrives they
   * would hold another visitor's turn.
   */
  async function inTurn(request: Request, visit: Visit, render: () => Promise<Response>): Promise<Response> {
    // Strangers don't wait for a member's form either: an upload may take minutes.
    if (visit.member && isReading(request)) return gate.runFirst(render);
    if (visit.member || (visit.widget && isFramePage(new URL(request.url).pathname))) return render();
    const address = addressOf(visit);
    if (isReading(request)) {
      gate.charge(address);
      return gate.run(address, render);
    }
    const seconds = posts.take(address);
    if (seconds === 0) return render();
    onRefused("address");
    throw new RenderingRefusedError("address", seconds);
  }

  async function answerPage(request: Request, visit: Visit): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = canonicalAddress(pathname + search);
    const { method, headers } = request;
    const cookie = headers.get("cookie") ?? undefined;
    const authorization = headers.get("authorization") ?? undefined;
    // A member's own session does not keep them from the page that all members share.
    const session = visit.member ? null : sessionCookie.name;
    const isShared =
      !devPages && !visit.widget && !visit.acting && mayUseCache({ method, path, cookie, authorization, session });
    if (isShared && visit.member) {
      const page = await members.find(visit, path);
      if (page) return members.answer(page, request, { ...visit.member, brandId: visit.brand.id });
    }
    if (!isShared || visit.member) {
      onCache("bypass");
      return answerPersonally(request, visit);
    }
    const address = addressOf(visit);
    const hit = cache.peek(visit.origin, path, () => address);
    onCache(hit ? "hit" : "miss");
    const fetched = hit ? { page: hit } : await cache.fetch(visit.origin, path, address);
    if (fetched.page) return storedAnswer(fetched.page, request);
    // Rendered without cookies and Global Privacy Control: right for a visitor without any, everyone else gets a rendering of their own.
    if (!fetched.answer || cookie !== undefined || headers.get("sec-gpc") === "1")
      return answerPersonally(request, visit);
    if (!fetched.answer.headers.has("cache-control")) fetched.answer.headers.set("Cache-Control", "no-cache");
    fetched.answer.headers.append("Vary", "Cookie");
    return compressed(fetched.answer, request);
  }

  return {
    cache,
    membersCache,
    async answerInFrame(request, visit, path) {
      const found = await renderInPlace(site, request, visit, path);
      if (!found) return null;
      const answer = await sealed(await putAddress(found.answer, visit.nonce, found.path), visit);
      onCache("bypass");
      return compressed(answer, request);
    },
    async preview(brand, origin) {
      const shown = { ...brand, features: { ...brand.features, telemetry: false }, tracking: NOTHING_TRACKED };
      const answer = await gate.runFirst(() => site(new Request(`${origin}/`), strangersVisit(shown, origin)));
      return asPicture(await answer.text());
    },
    async answerRefusal(request, { origin, address }, refusal) {
      const visit = await options.strangerAt(origin);
      if (!visit || !gate.spend(address)) return null;
      // /refused is no page: its "not found" page shows the refusal instead. HEAD may render like GET; a POST's body is
      // never read.
      const rendering = gate.run(address, () => site(new Request(`${origin}/refused`), { ...visit, refusal }));
      const page = await rendering.catch(nullIfRefused);
      if (page?.status !== refusal.status) return null;
      const answer = await sealed(page, visit);
      answer.headers.set("Cache-Control", "no-store");
      return compressed(answer, request);
    },
    answer: (request, visit) =>
      answerPage(request, visit).catch((error: unknown) => refusedPage(error, visit.widget?.origin)),
  };
}

/** Returns whether the page at `path` opens the widget's card form, as a partner's page does. */
function opensCardForm(path: string | undefined): boolean {
  const found = path === undefined ? null : findPage(path.split("?", 1)[0] ?? path);
  return found !== null && factsOf(found.page).opensCardForm === true;
}

/** Lets the card form in the page, and the provider's frames in it, offer the browser's own wallets (docs/widget/wallets.md). */
function withPayments(policy = ""): string {
  const sources = 'self "https://js.stripe.com" "https://*.js.stripe.com" "https://hooks.stripe.com"';
  return policy.replace("payment=()", `payment=(${sources})`);
}

/** Maximum number of path segments; no page has half as many. */
const MAX_SEGMENTS = 8;
const notFound: Refusal = { status: 404, title: "Page not found", text: "There is nothing at this address." };

/**
 * Answers paths with more segments than any page has without the router: when it renders, the router matches every
 * prefix of the path, and the longest request line has room for twenty thousand of them (20 s).
 */
function withoutDeepPaths(site: SiteHandler): SiteHandler {
  return (request, visit) => {
    const { pathname } = new URL(request.url);
    if (pathname.split("/", MAX_SEGMENTS + 2).length <= MAX_SEGMENTS + 1) return site(request, visit);
    const plain = new Request(`${visit.origin}/refused`, { signal: request.signal });
    return site(plain, { ...visit, refusal: notFound });
  };
}

/** Visits without an address (tests, sockets without one) share an allowance. */
const addressOf = ({ clientAddress = "unknown" }: Visit) => clientAddress;

const isReading = ({ method }: Request) => method === "GET" || method === "HEAD";

function nullIfRefused(error: unknown): null {
  if (error instanceof RenderingRefusedError) return null;
  throw error;
}

/** Says when to try again, without rendering anything. Rethrows every other error. */
function refusedPage(error: unknown, framedBy?: string): Response {
  if (!(error instanceof RenderingRefusedError)) throw error;
  const { reason, retryAfterSeconds: seconds } = error;
  return plainPage({
    status: reason === "address" ? 429 : 503,
    title: "One moment, please",
    text: `${reason === "address" ? "Your network has requested many pages at once" : "Very many people are visiting at once"}. Wait ${seconds === 1 ? "a second" : `${seconds} seconds`}, then load this page again.`,
    headers: { "Retry-After": String(seconds) },
    ...(framedBy === undefined ? {} : { frame: { origin: framedBy, problem: "error" as const } }),
  });
}

/**
 * Returns the request as the site sees it: at the visitor's origin, and with our own Origin once foreign posts are
 * ruled out.
 */
function requestFor(request: Request, visit: Visit, path: string): Request {
  const isPost = !isReading(request);
  if (!isPost && request.url === visit.origin + path) return request;
  const headers = new Headers(request.headers);
  headers.set("host", visit.origin.slice(visit.origin.indexOf("//") + 2));
  headers.delete("x-forwarded-host");
  // foreign-posts.ts has accepted it. After a no-referrer page the browser sends "null", which the router would refuse.
  if (isPost && headers.has("origin")) headers.set("origin", visit.origin);
  const body = isPost && request.body ? { body: request.body, duplex: "half" as const } : {};
  return new Request(visit.origin + path, { method: request.method, headers, signal: request.signal, ...body });
}

/**
 * A form posted to us may lead to a retailer (log in, then /go/…). Browsers apply `form-action 'self'` to every
 * redirect after a post and would stop there, so a page opens the next address instead of a redirect.
 */
function breakFormChain(request: Request, answer: Response): Response {
  const location = answer.headers.get("location");
  if (request.method !== "POST" || answer.status < 300 || answer.status > 399 || !location?.startsWith("/go/"))
    return answer;
  const page = plainPage({
    status: 200,
    title: "Taking you to the retailer",
    controller: "redirects",
    text: "One moment, please.",
    link: { href: location, label: "Continue" },
  });
  const headers = new Headers(answer.headers);
  for (const [name, value] of page.headers) headers.set(name, value);
  headers.delete("Location");
  headers.set("Refresh", `0; url=${location}`);
  return new Response(page.body, { status: 200, headers });
}

function storedAnswer(page: StoredPage, request: Request): Response {
  if (isUnchanged(request.headers.get("if-none-match") ?? undefined, page.etag))
    return new Response(null, { status: 304, headers: pairs(page.unchangedHeaders) });
  const { body, headers } = page.variants[chooseEncoding(request.headers.get("accept-encoding") ?? undefined)];
  return new Response(request.method === "HEAD" ? null : (body as Buffer<ArrayBuffer>), {
    status: 200,
    headers: pairs(headers),
  });
}

/** Returns stored headers as pairs, without the request id, which the app adds itself. */
function pairs(flat: string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 - 1 }, (_, index) => [flat[index * 2] ?? "", flat[index * 2 + 1] ?? ""]);
}

async function compressed(answer: Response, request: Request): Promise<Response> {
  const encoding = chooseEncoding(request.headers.get("accept-encoding") ?? undefined);
  const type = answer.headers.get("content-type") ?? "";
  if (
    encoding === "identity" ||
    request.method === "HEAD" ||
    answer.headers.has("content-encoding") ||
    !/^text\/|json|javascript|svg/.test(type)
  )
    return answer;
  const whole = wholeBody(answer);
  if (whole === null && answer.body === null) return answer;
  const body = typeof whole === "string" ? Buffer.from(whole) : Buffer.from(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  headers.append("Vary", "Accept-Encoding");
  if (body.length < 1024) return wholeResponse(body, { status: answer.status, headers });
  headers.set("Content-Encoding", encoding);
  return wholeResponse(await compressors[encoding](body), { status: answer.status, headers });
}

const NOTHING_TRACKED = { tagManager: null, engagementScript: null };

/** Returns a page without its script, in which nothing can be followed or pressed. */
function asPicture(html: string): string {
  return html
    .replaceAll(/<script\b[^>]*>[^]*?<\/script>/g, "")
    .replaceAll(/<link\b[^>]*rel="(?:modulepreload|manifest)"[^>]*>/g, "")
    .replace("<body", "<body inert");
}

/** Returns the visit of a visitor without a session, for rendering what everybody may see. */
export function strangersVisit(brand: Visit["brand"], origin: string): Visit {
  return { requestId: newRequestId(), brand, member: null, nonce: newNonce(), origin };
}
