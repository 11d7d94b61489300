import { startRetailerJobs } from "./alerts/retailer-jobs.ts";
import { startCashbackJobs } from "./cashback/cashback-jobs.ts";
import { startClaimJobs } from "./claims/claim-jobs.ts";
import { startClosureJobs } from "./closures/closure-jobs.ts";
import { startGiftCardJobs } from "./gift-cards/gift-card-jobs.ts";
import { openIssuers } from "./gift-cards/open-issuers.ts";
import { startClockWatch } from "./jobs/clock-watch.ts";
import { openMails } from "./mails/open-mails.ts";
import { startNetworkJobs } from "./networks/network-jobs.ts";
import { startWebhookJobs } from "./partners/webhook-jobs.ts";
import { startDisputeJobs } from "./payments/dispute-jobs.ts";
import { startFeeJobs } from "./payments/fee-jobs.ts";
import { startPaymentJobs } from "./payments/payment-jobs.ts";
import { startBackfills } from "./process/backfill-jobs.ts";
import type { Closing } from "./process/shutdown.ts";
import { startReferralJobs } from "./referrals/referral-jobs.ts";
import { startIndexJobs } from "./search/index-jobs.ts";
import { startRetention } from "./process/retention.ts";
import { startSweeping } from "./process/sweeping.ts";
import { keysOf } from "./secrets/keys-of.ts";
import type { ServerParts } from "./server-parts.ts";
import { openSink } from "./telemetry/open-sink.ts";
import { startTelemetryJobs } from "./telemetry/telemetry-jobs.ts";
import { startMembershipJobs } from "./verification-requests/membership-jobs.ts";

/** The worker role: starts the background jobs of every noun. */
export function openWorker(server: ServerParts): void {
  const { config, logger, closing, db, sessionPool: pool, networks, cards, now } = server;
  const keep = (name: string, jobs: Pick<Closing, "close">) => closing.push({ name, close: () => jobs.close() });
  keep("network jobs", startNetworkJobs({ db, pool, ...networks, logger }));
  const [webhookKey, ...oldWebhookKeys] = keysOf(config, "partner-webhook");
  const allowPrivate = config.environment === "dev";
  keep("partners' webhooks", startWebhookJobs({ db, webhookKey, oldWebhookKeys, allowPrivate, logger }));
  keep("mails", openMails({ config, db, pool, logger }));
  if (cards.live || cards.test) {
    keep("payment jobs", startPaymentJobs({ db, cards, logger }));
    keep("card fees", startFeeJobs({ db, cards, logger, now }));
    keep("disputes", startDisputeJobs({ db, cards, logger, now }));
  }
  const issuers = openIssuers(config.issuers);
  const unsubscribeKeys = keysOf(config, "unsubscribe");
  const cardKeys = keysOf(config, "gift-cards");
  keep("gift cards", startGiftCardJobs({ db, issuers, cards, keys: cardKeys, unsubscribeKeys, logger, now }));
  keep("membership jobs", startMembershipJobs({ db, logger }));
  keep("cashback mails", startCashbackJobs({ db, unsubscribeKeys, logger }));
  keep("claims", startClaimJobs({ db, networks: networks.networks, unsubscribeKeys, logger }));
  keep("referrals", startReferralJobs({ db, unsubscribeKeys, logger }));
  keep("closures", startClosureJobs({ db, logger }));
  keep("search index", startIndexJobs({ db, pool, logger, now }));
  keep("retailer jobs", startRetailerJobs({ db, logger }));
  const sink = openSink(config.telemetry.clickhouseUrl, closing);
  const keys = keysOf(config, "telemetry-user");
  keep("telemetry", startTelemetryJobs({ db, sink, keys, keptDays: config.telemetry.days, logger, now }));
  keep("clock watch", startClockWatch({ db, logger }));
  keep("sweeping", startSweeping({ db, logger }));
  keep("backfills", startBackfills({ pool: server.pool, logger }));
  keep("retention", startRetention({ db, logger, now }));
}
