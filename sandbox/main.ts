import { serve } from "@hono/node-server";
import { join } from "node:path";
import { allProtocols } from "./network/all-protocols.ts";
import { createSandbox } from "./create-sandbox.ts";
import { partnerShop } from "./partner/partner-shop.ts";

// Starts the sandbox with settings from the environment, which docs/sandbox.md lists.
const env = process.env;
const port = Number(env.SANDBOX_PORT ?? 3001);
const dataDir = env.DATA_DIR || ".data";
const host = env.HOST || "127.0.0.1";

const sandbox = await createSandbox({
  dataDir,
  catalogueDir: env.CATALOGUE_DIR || join(dataDir, "catalogue"),
  pushUrl: env.PUSH_URL || undefined,
  publisherId: Number(env.AWIN_PUBLISHER_ID ?? 100001),
  apiToken: env.AWIN_API_TOKEN || "sandbox-token",
  networks: Object.fromEntries(
    allProtocols.map(({ slug, account }) => {
      const { publisherId, credentials, pushSecret } = account(env);
      const pushUrl =
        pushSecret === null || !env.SERVICE_URL ? undefined : `${env.SERVICE_URL}/webhooks/${slug}/${pushSecret}`;
      return [slug, { publisherId, credentials, pushUrl }];
    }),
  ),
  cards: {
    secret: env.STRIPE_SECRET_KEY || "sk_test_sandbox",
    publishable: env.STRIPE_PUBLISHABLE_KEY || "pk_test_sandbox",
    webhookSecret: env.STRIPE_WEBHOOK_SECRET || "whsec_sandbox",
    webhookUrl: env.SANDBOX_CARD_WEBHOOK_URL || undefined,
  },
  issuer: {
    apiKey: env.TILLO_API_KEY || "development-key",
    secret: env.TILLO_API_SECRET || "development-secret",
  },
  rateLimited: env.SANDBOX_AWIN_RATE_LIMIT === "1",
  smtpPort: Number(env.SANDBOX_SMTP_PORT ?? port + 24),
  host,
});

const server = serve({ fetch: sandbox.fetch, port, hostname: host }, (listening) => {
  console.log(
    `Sandbox on http://localhost:${listening.port} (network, shops, cards, mailbox; mail is taken on port ${sandbox.smtpPort})`,
  );
});

const partnerPort = env.PARTNER_PORT ? Number(env.PARTNER_PORT) : null;
const partner =
  partnerPort === null
    ? null
    : serve({ fetch: demoPartner(), port: partnerPort, hostname: host }, () => {
        console.log(`Demo partner on http://localhost:${partnerPort}`);
      });

/** Returns the demo partner's shop, with the data that a partner gets when it joins. */
function demoPartner() {
  const serviceUrl = env.SERVICE_URL || "http://localhost:3000";
  return partnerShop(
    { serviceUrl, apiKey: env.PARTNER_API_KEY || "" },
    {
      serviceUrl,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY || "pk_test_sandbox",
      cardScriptUrl: `http://localhost:${port}/cards/v3/`,
    },
  ).fetch;
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const listening of [server, partner]) {
    listening?.close();
    if (listening && "closeAllConnections" in listening) listening.closeAllConnections();
  }
  await sandbox.close();
  process.exit(0);
}
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());
