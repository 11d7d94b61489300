import type { Brand } from "@farthing/core/brands/brand.ts";
import { mintToken } from "@farthing/core/partners/mint-token.server.ts";
import type { TestPartner } from "@farthing/core/partners/partners.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { noCardAccounts, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { testApp } from "../app.testing.ts";
import { partnerApi } from "./partner-api.ts";
import type { SiteHandler } from "../pages/site-handler.ts";
import { redirectRoutes } from "./redirect-routes.ts";
import { widgetSessions } from "./widget-sessions.ts";

const brand = { id: "one", slug: "one", name: "One" } as Brand;

/**
 * Returns the server as partners' pages and servers see it, on a real database, with a minimal site and a clock that
 * tests move.
 */
export function frameServer(
  db: Db,
  site: SiteHandler,
  { publicScheme = "http", cards = noCardAccounts }: { publicScheme?: "http" | "https"; cards?: CardAccounts } = {},
) {
  const clock = { now: new Date("2026-11-20T10:00:00Z") };
  const now = () => clock.now;
  const tokenKey = "the server's key";
  const host = "one.test";
  const config = { publicScheme, trustProxy: false, metricsToken: null } as const;
  const sessions = widgetSessions({ db, publicScheme, now });
  const brands = async (name: string) => (name === host ? brand : null);
  const { logger } = testApp([brand], site);
  const routes = redirectRoutes({
    db,
    tokenKey,
    sessions,
    renderInFrame: (...all) => built.pages.answerInFrame(...all),
    cards: cards.live,
    logger,
    now,
  });
  const apiRoutes = [partnerApi({ db, brands, config, tokenKey, webhookKey: "the webhooks' key", cards, logger, now })];
  const built = testApp([brand], site, {
    config,
    brands,
    apiRoutes,
    widgetSessions: sessions,
    redirectRoutes: routes,
    accounts: {
      memberOf: async (_, cookie) =>
        cookie?.includes("farthing_session=good")
          ? { id: "m1", sessionId: "s1", name: "Robin", email: "robin@one.test", verification: "verified" }
          : null,
    },
  });
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    built.app.request(`${publicScheme}://${host}${path}`, { method, headers: { host, ...headers } });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    built.app.request(`${publicScheme}://${host}${path}`, { method: "POST", body, headers: { host, ...headers } });
  const mint = async (partner: TestPartner, reference: string | null = null): Promise<string> => {
    const { key: apiKey, origin } = partner;
    const minted = await mintToken(db, { apiKey, origin, reference, signingKey: tokenKey, now: clock.now });
    if (minted.outcome !== "minted") throw new Error(`not minted: ${minted.outcome}`);
    return minted.token;
  };
  const address = (path: string, token: string) =>
    `/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`;
  return { ...built, get, post, mint, address, clock, tokenKey };
}

/** The value of a cookie that an answer sets, and its attributes in order. */
export function setCookieOf(response: Response): { name: string; value: string; attributes: string[] } | null {
  const [pair = "", ...attributes] = response.headers.get("set-cookie")?.split("; ") ?? [];
  const equals = pair.indexOf("=");
  return equals > 0 ? { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes } : null;
}
