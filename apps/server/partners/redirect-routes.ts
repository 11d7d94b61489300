import { exchangeToken, findTokenOrigin, type OpenedSession } from "@farthing/core/partners/exchange-token.server.ts";
import { carryBasket } from "@farthing/core/gift-cards/basket.server.ts";
import { followVisit, settleOpenedOrder } from "@farthing/core/gift-cards/return-to-order.server.ts";
import { readFramePath } from "@farthing/core/partners/rules.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { mayBeFramed } from "@farthing/site/server/framing.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { ANY_ORIGIN, plainPage, type FrameProblem } from "../http/plain-page.ts";
import type { Logger } from "../monitoring/logger.ts";
import type { WidgetSessions } from "./widget-sessions.ts";

export interface RedirectServices {
  db: Db;
  /** Signs the tokens. */
  tokenKey: string;
  sessions: Pick<WidgetSessions, "setCookie" | "secretIn">;
  /** Renders the page at `path` for the partner's frame. Null: no page at `path` may be framed. */
  renderInFrame(request: Request, visit: Visit, path: string): Promise<Response | null>;
  /** Null: payments are not set up. */
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment"> | null;
  logger: Pick<Logger, "warn">;
  now(): Date;
}

interface Refusal {
  status: 400 | 401 | 404 | 410;
  title: string;
  text: string;
  /** What the page around the frame is told. */
  problem: FrameProblem;
}

/**
 * GET /redirect?path=…&token=…, the first request of a partner's frame (W9). Exchanges the token for a session and
 * answers with the page at `path`, without a redirect. The page's script replaces the URL by `path` before anything can
 * read the token from it.
 */
export function redirectRoutes(services: RedirectServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/redirect", (context) => (context.req.method === "HEAD" ? readOnly() : answer(context, services)))
    .all("/redirect", readOnly);
}

async function answer(context: Context<AppEnv>, services: RedirectServices): Promise<Response> {
  const { db, tokenKey: signingKey, now } = services;
  const query = new URL(context.req.raw.url).searchParams;
  const token = only(query.getAll("token"));
  const path = readFramePath(only(query.getAll("path")));
  // Both before the token is spent: the page around the frame can try another path with it.
  if (path === null) return refuse(refusals.path, await findTokenOrigin(db, { token, signingKey }));
  if (!mayBeFramed(path)) return refuse(refusals.nothing, await findTokenOrigin(db, { token, signingKey }));

  const exchange = await exchangeToken(db, { token, signingKey, now: now() });
  if (exchange.outcome !== "opened")
    return refuse(refusals[exchange.outcome], "origin" in exchange ? exchange.origin : null);
  const { session } = exchange;
  // A member is known at the brand they joined only (B4).
  if (session.member && session.member.brandId !== context.get("visit").brand.id)
    return refuse(refusals.withdrawn, session.origin);
  if (session.member) await carryBasket(db, { sessionId: session.id });
  // Whatever the path: the cookie that is set below replaces that of a tab in which somebody may be paying.
  const secret = services.sessions.secretIn(context.req.header("cookie"));
  await followVisit(db, { sessionId: session.id, secret, now: now() });
  const order = /^\/portal\/orders\/([\w-]{8,40})$/.exec(path)?.[1];
  if (order !== undefined) await settle(services, session, order);
  // If rendering fails, the partner's page is told (http/answer-failures.ts).
  context.set("visit", visitIn(session, context.get("visit")));
  const page = await services.renderInFrame(context.req.raw, context.get("visit"), path);
  const response = page ?? refuse(refusals.nothing, session.origin);
  response.headers.append("Set-Cookie", services.sessions.setCookie(session.bearer));
  return response;
}

/** Asks for the order's payment, in case the payer comes from a bank. If the card provider is slow or silent, the page shows what we know. */
async function settle(
  { db, cards, logger, now }: RedirectServices,
  session: OpenedSession,
  order: string,
): Promise<void> {
  if (!cards) return;
  const asked = { sessionId: session.id, memberId: session.member?.id ?? null, orderPublicId: order, now: now() };
  const settled = settleOpenedOrder(db, cards, asked).catch((error: unknown) => {
    logger.warn({ err: error, order }, "the payment of an order could not be asked for when its buyer opened it again");
  });
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
}

/** How long a payer waits for the card provider before they see their order as we know it. */
const PATIENCE_MS = 3_000;

/**
 * Renders the frame without the member, so that a partner's page can't trick a member into acting in their own name.
 */
function visitIn(session: OpenedSession, visit: Visit): Visit {
  const { id, partner, origin, bearer, mode, price } = session;
  const { member } = session;
  return { ...visit, member: null, widget: { sessionId: id, partner, origin, bearer, member, mode, price } };
}

/** Returns a parameter that occurs once. Two parsers could disagree about one that occurs twice. */
function only(values: string[]): string | null {
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The value of data-controller on the pages of this route (P7). */
const controller = "redirects";

const refusals = {
  path: {
    status: 400,
    title: "This page can't be opened",
    text: "The page around this frame asked for something that is not on this site. If the page is yours: path has to be a path here, such as /pay, encoded once.",
    problem: "path",
  },
  invalid: {
    status: 401,
    title: "This page can't be opened",
    text: "The page around this frame has not shown that it may open it. Go back and start again. If the page is yours: fetch a token from your server and pass it on unchanged.",
    problem: "token",
  },
  withdrawn: {
    status: 401,
    title: "This page can't be opened",
    text: "The page around this frame may no longer open it. Nothing was paid here. If the page is yours: its key, its origin or your account has been withdrawn.",
    problem: "withdrawn",
  },
  expired: {
    status: 401,
    title: "That took too long",
    text: "The permission to open this page lasts a minute. Reload the page around it and try again.",
    problem: "expired",
  },
  spent: {
    status: 410,
    title: "This page has already been opened",
    text: "The permission to open this page can be used once. Reload the page around it to continue.",
    problem: "spent",
  },
  nothing: {
    status: 404,
    title: "Nothing to see here",
    text: "There is no page at this address that can be shown inside another site. If the page around it is yours: check path.",
    problem: "not-found",
  },
} satisfies Record<string, Refusal>;

/**
 * Returns an error page. Only the token's origin may frame it. Without a valid token no origin is known, and any page may frame it: the answer has
 * nothing but our own sentence. A developer with a wrong token reads that at once, instead of the browser's error page.
 */
function refuse({ status, title, text, problem }: Refusal, framedBy: string | null): Response {
  const frame = { origin: framedBy ?? ANY_ORIGIN, problem };
  return plainPage({ status, title, text, controller, frame, headers: { "Referrer-Policy": "no-referrer" } });
}

/** HEAD would spend the token before the page is requested. */
function readOnly(): Response {
  const text = "This address is opened by the frame in a partner's page.";
  return plainPage({ status: 405, title: "Method not allowed", text, controller, headers: { Allow: "GET" } });
}
