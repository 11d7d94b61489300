import { Hono } from "hono";
import { html } from "hono/html";
import { join } from "node:path";
import { cardConsole, cardControl } from "./cards/card-console.ts";
import { cardRoutes } from "./cards/card-routes.ts";
import { CardStore } from "./cards/card-store.ts";
import { cardsApi } from "./cards/cards-api.ts";
import type { CardKeys, Cards } from "./cards/cards.ts";
import { openWebhooks } from "./cards/webhooks.ts";
import { openCatalogue } from "./catalogue/catalogue.ts";
import { controlApi } from "./control/control-api.ts";
import { networkRoutes } from "./control/network-routes.ts";
import { overviewPage } from "./control/overview-page.ts";
import { openBrands } from "./issuer/issuer-brands.ts";
import { issuerApi } from "./issuer/issuer-api.ts";
import { issuerConsole, issuerControl } from "./issuer/issuer-console.ts";
import type { Issuer, IssuerKeys } from "./issuer/issuer.ts";
import { startMailServer, type MailServer } from "./mailbox/mail-server.ts";
import { mailboxRoutes } from "./mailbox/mailbox-routes.ts";
import { allProtocols } from "./network/all-protocols.ts";
import { readClock } from "./network/clock.ts";
import { playFaults } from "./network/faults.ts";
import { openNetworks, type NetworkAccount } from "./network/open-networks.ts";
import { plainPage } from "./pages/plain-page.ts";
import { refuseForeignPosts } from "./pages/refuse-foreign-posts.ts";
import { sandboxFrame } from "./pages/sandbox-frame.ts";
import { SANDBOX_ICON, SANDBOX_STYLE } from "./pages/sandbox-style.ts";
import { shopList } from "./shops/shop-list.ts";
import { shopRoutes } from "./shops/shop-routes.ts";
import { tagManager } from "./tag-manager/tag-manager.ts";
import { engagement } from "./engagement/engagement.ts";
import { State } from "./state/state.ts";

export interface SandboxOptions {
  /** The folder in whose subfolder "sandbox" the state is stored. Default: in memory only. */
  dataDir?: string;
  /** The folder of awin-programmes.json and awin-promotions.json, which may appear later. */
  catalogueDir: string;
  /** The address that Awin pushes new transactions to. */
  pushUrl?: string | undefined;
  publisherId: number;
  apiToken: string;
  /** The accounts of the other networks, by slug. */
  networks?: Readonly<Record<string, NetworkAccount>>;
  /** The card provider's account: its keys, and the address of its webhooks. */
  cards?: CardKeys & { webhookSecret: string; webhookUrl?: string | undefined };
  /** The gift-card issuer's account. */
  issuer?: IssuerKeys;
  /** Whether report calls are limited to twenty a minute. */
  rateLimited?: boolean;
  /** The mailbox's SMTP port, 0 for a free one. Default: no mail server. */
  smtpPort?: number;
  host?: string;
  /** Returns milliseconds since 1970; for tests. */
  now?: () => number;
  /** Waits between the attempts of a failed push, in milliseconds; for tests. */
  retryWaits?: readonly number[];
}

export interface Sandbox {
  fetch: (request: Request, bindings?: unknown) => Response | Promise<Response>;
  /** The mailbox's SMTP port. */
  smtpPort: number | null;
  close(): Promise<void>;
}

const developmentCards = { secret: "sk_test_sandbox", publishable: "pk_test_sandbox", webhookSecret: "whsec_sandbox" };

const developmentIssuer: IssuerKeys = { apiKey: "development-key", secret: "development-secret" };

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Creates the sandbox as one handler: network, shops, card provider, gift-card issuer, mailbox, and the pages that control them. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const state = new State(options.dataDir ? join(options.dataDir, "sandbox", "sandbox.sqlite") : ":memory:");
  const networks = openNetworks({
    state,
    now,
    catalogue: openCatalogue(options.catalogueDir),
    rateLimited: options.rateLimited ?? false,
    accounts: {
      ...options.networks,
      awin: {
        publisherId: String(options.publisherId),
        credentials: { token: options.apiToken },
        pushUrl: options.pushUrl,
      },
    },
    retryWaits: options.retryWaits,
  });
  const cardAccount = options.cards ?? developmentCards;
  const webhooks = openWebhooks({
    state,
    url: options.cards?.webhookUrl,
    secret: cardAccount.webhookSecret,
    now,
    retryWaits: options.retryWaits,
  });
  const cards: Cards = { state, webhooks, now, store: new CardStore(state), keys: cardAccount };
  const issuer: Issuer = {
    state,
    brands: openBrands(options.catalogueDir),
    keys: options.issuer ?? developmentIssuer,
    now: () => readClock(state, now()),
    realNow: now,
  };
  let mail: MailServer | null = null;
  if (options.smtpPort !== undefined)
    mail = await startMailServer(state, options.smtpPort, options.host ?? "127.0.0.1");

  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "strict-origin-when-cross-origin");
    if (!context.res.headers.has("Content-Security-Policy")) context.header("Content-Security-Policy", PAGE_POLICY);
  });
  // Browsers on other sites may call the card provider's API and the tag manager only.
  app.route("/v1", cardsApi(cards));
  const tags = tagManager();
  app.route("/tag-manager", tags.script);
  app.use(refuseForeignPosts);

  app.get("/", (context) => {
    const count = state.one<{ count: number }>("select count(*) as count from messages")?.count ?? 0;
    return context.html(
      sandboxFrame({
        title: "Overview",
        path: "/",
        body: overviewPage(networks, { count, smtpPort: mail?.port ?? null }),
      }),
    );
  });
  app.get("/sandbox.css", (context) =>
    context.body(SANDBOX_STYLE, 200, { "Content-Type": "text/css; charset=utf-8", "Cache-Control": "max-age=60" }),
  );
  app.get("/sandbox-icon.svg", (context) =>
    context.body(SANDBOX_ICON, 200, { "Content-Type": "image/svg+xml", "Cache-Control": "max-age=60" }),
  );
  app.get("/healthz", (context) => context.json({ status: "ok" }));

  for (const protocol of allProtocols) {
    const network = networks.get(protocol.slug);
    const own = new Hono();
    own.use(playFaults(network, protocol.isLink));
    protocol.routes(own, network);
    app.route(`/${protocol.slug}`, own);
  }
  app.route("/network", networkRoutes(networks));
  app.route("/control", controlApi(networks, now));
  app.route("/control/cards", cardControl(cards));
  app.route("/control/issuer", issuerControl(issuer));
  app.route("/tillo/api/v2", issuerApi(issuer));
  app.route("/issuer", issuerConsole(issuer));
  app.route("/cards", cardRoutes(cards));
  app.route("/cards", cardConsole(cards));
  app.route("/tag-manager", tags.pages);
  app.route("/engagement", engagement());
  app.route(
    "/mailbox",
    mailboxRoutes(state, () => mail?.port ?? null),
  );
  app.get("/shops", (context) =>
    context.html(
      sandboxFrame({
        title: "Shops",
        path: "/shops",
        body: shopList(networks.catalogue, context.req.query("q") ?? ""),
      }),
    ),
  );
  app.route("/shops", shopRoutes(networks));

  app.notFound((context) =>
    context.html(plainPage("Nothing here", html`<p>The sandbox has no page at this address.</p>`), 404),
  );
  app.onError((error, context) => {
    console.error("Sandbox:", error);
    return context.html(plainPage("Something broke in the sandbox", html`<p>It is in the sandbox's log.</p>`), 500);
  });

  return {
    fetch: (request, bindings) => app.fetch(request, bindings as object | undefined),
    smtpPort: mail?.port ?? null,
    close: async () => {
      await mail?.close();
      await networks.close();
      await webhooks.close();
      state.close();
    },
  };
}
