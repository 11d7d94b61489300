import { existsSync } from "node:fs";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import type { Admin, AdminServices, CreateAdmin } from "@farthing/admin/server/admin-handler.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import type { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { brandOrigins } from "../brands/brand-origins.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { openSourcePages } from "../development/dev-pages.ts";
import { openIssuers } from "../gift-cards/open-issuers.ts";
import { staticFiles } from "../http/fast/static-files.ts";
import { logSignIns } from "../monitoring/log-sign-ins.ts";
import { StartError } from "../process/start-error.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { keysOf } from "../secrets/keys-of.ts";
import type { ServerParts } from "../server-parts.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";
import { adminCards } from "./admin-cards.ts";
import { adminRoutes } from "./admin-routes.ts";
import { logOperatorSignIns } from "./log-operator-sign-ins.ts";
import { operatorAccounts } from "./operator-accounts.ts";
import { operatorCookie } from "./operator-cookie.ts";

const adminBuild = new URL("../../admin/build/", import.meta.url);

/** @throws StartError if the admin has not been built */
export async function loadAdminBuild(): Promise<CreateAdmin> {
  const entry = new URL("server/create-admin.js", adminBuild);
  if (!existsSync(entry))
    throw new StartError("The admin has not been built. Run npm run build, or npm start, which builds when needed.");
  const { createAdmin } = (await import(entry.href)) as { createAdmin: CreateAdmin };
  return createAdmin;
}

export interface OpenedAdmin {
  routes: Hono<AppEnv>;
  /** Puts hot reload in front of the listener if pages come from source. */
  around(listener: RequestListener): RequestListener;
}

/** Opens the operators' admin with its services: its build, or its sources with hot reload (FARTHING_DEV_PAGES). */
export async function openAdmin(
  parts: ServerParts,
  {
    brands,
    preview,
    load,
  }: { brands: BrandLookup; preview: AdminServices["previewHome"]; load: () => Promise<CreateAdmin> },
): Promise<OpenedAdmin> {
  const { config, db, readStale, logger, cards, networks, now, closing, server } = parts;
  const outages = new WeakMap<object, DatabaseUnavailableError>();
  const isDevelopment = config.environment === "dev";
  const { operatorOf, ...accounts } = operatorAccounts({
    db,
    cookie: operatorCookie({ publicScheme: config.publicScheme, key: deriveKey(config.secret, "operator-cookie") }),
    hashing: new PasswordHashing(),
    key: deriveKey(config.secret, "operator-tries"),
    secretKeys: keysOf(config, "operator-secrets"),
    mailsCodes: isDevelopment,
    now,
  });
  const [key, ...oldKeys] = keysOf(config, "attachment");
  const services: AdminServices = {
    db,
    readStale,
    accounts: logOperatorSignIns(accounts, logSignIns(logger)),
    attachments: { key, oldKeys },
    payeeKeys: keysOf(config, "payee"),
    issuers: openIssuers(config.issuers),
    webhooks: { key: deriveKey(config.secret, "partner-webhook"), allowLocal: isDevelopment },
    unsubscribeKeys: keysOf(config, "unsubscribe"),
    cards: adminCards(cards),
    goodwill: config.goodwill,
    payouts: { originator: config.bacs, bankKeys: keysOf(config, "bank-details") },
    previewHome: preview,
    feeds: new Map(allNetworks.flatMap(({ slug, feed }) => (feed ? [[slug, feed] as const] : []))),
    networks: networks.networks,
    previewKey: deriveKey(config.secret, "offer-preview"),
    originOf: brandOrigins(config),
    mailboxUrl: isDevelopment ? `http://localhost:${config.port + 1}/mailbox` : null,
    now,
    reportError(error, visit) {
      if (error instanceof DatabaseUnavailableError) return void outages.set(visit, error);
      const status = (error as { status?: unknown } | null)?.status;
      const level = typeof status === "number" && status >= 400 && status < 500 ? "debug" : "error";
      logger[level]({ requestId: visit.requestId, err: error }, "admin page failed");
    },
  };
  const source = config.devPages
    ? await openSourcePages<{ createAdmin: CreateAdmin }>({ server, folder: "admin", entry: "/server/create-admin.ts" })
    : null;
  if (source) closing.push({ name: "the admin's hot reload", close: source.close, holdsConnections: true });
  const built = source ? null : (await load())(services);
  const admin: Admin = async (request, visit) => {
    const answering = built ?? (await source?.load())?.createAdmin(services);
    if (!answering) throw new Error("The admin has neither a build nor sources.");
    const answer = await answering(request, visit);
    // An unavailable database has no page: the app answers it (answer-failures.ts).
    const outage = outages.get(visit);
    if (outage) throw outage;
    return answer;
  };
  const clientFolder = fileURLToPath(new URL("client", adminBuild));
  return {
    routes: adminRoutes({ admin, files: staticFiles(clientFolder), brands, operatorOf, config }),
    around: (listener) => {
      if (!source) return listener;
      const ours = source.around(listener);
      return (request, response) =>
        request.url?.startsWith("/admin/") ? ours(request, response) : listener(request, response);
    },
  };
}
