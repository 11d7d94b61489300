import { createViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import { telemetryUserId } from "@farthing/core/telemetry/user-id.server.ts";
import { telemetryUserIds } from "@farthing/core/telemetry/erasures.server.ts";
import type { WordReader } from "@farthing/core/search/words.server.ts";
import { cachedReads } from "@farthing/site/server/catalogue-reads.ts";
import type { SiteServices } from "@farthing/site/server/site-handler.ts";
import { openIssuers } from "../gift-cards/open-issuers.ts";
import { presentCookie } from "../gift-cards/present-cookie.ts";
import { openUploads, startUploadSweeping } from "../attachments/open-uploads.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { keysOf } from "../secrets/keys-of.ts";
import type { ServerParts } from "../server-parts.ts";

/** Opens what the site's pages need and no other part of the server does. */
export async function openSiteServices(
  { config, db, logger, closing, cards }: Pick<ServerParts, "config" | "db" | "logger" | "closing" | "cards">,
  { words }: { words: WordReader },
) {
  const { secret } = config;
  const views = createViewRecorder({
    db,
    onError: (error) => logger.error({ err: error }, "viewed offers could not be stored"),
  });
  closing.push({ name: "view recorder", close: () => views.close() });
  const telemetryKeys = keysOf(config, "telemetry-user");
  const [attachmentKey, ...oldAttachmentKeys] = keysOf(config, "attachment");
  const uploads = { dataDir: config.dataDir, logger };
  const { receive } = await openUploads(uploads);
  const sweeping = startUploadSweeping(uploads);
  closing.push({ name: "sweeping uploads", close: () => sweeping.close() });
  return {
    // Pages from source read the catalogue uncached, so that a change shows at once.
    ...(config.devPages ? {} : { catalogue: cachedReads(db, { words }) }),
    revealSecret: deriveKey(secret, "reveal-token"),
    previewKey: deriveKey(secret, "offer-preview"),
    registrationSecret: deriveKey(secret, "registration-count"),
    digitalIdKey: deriveKey(secret, "digital-id"),
    unsubscribeKeys: keysOf(config, "unsubscribe"),
    payeeKeys: keysOf(config, "payee"),
    telemetry: {
      url: config.telemetryUrl,
      tagManagerUrl: config.tagManagerUrl,
      userIdOf: ({ brandId, memberId }) => telemetryUserId(telemetryKeys[0], brandId, memberId),
    },
    partnerDemoUrl: config.partnerDemoUrl,
    bankKeys: keysOf(config, "bank-details"),
    giftCards: {
      keys: keysOf(config, "gift-cards"),
      issuers: openIssuers(config.issuers),
      cards: cards.live,
      presentCookie: (publicId: string) => presentCookie(publicId, config),
    },
    attachments: { key: attachmentKey, oldKeys: oldAttachmentKeys, receive },
    telemetryUsersOf: (member: { brandId: string; memberId: string }) => telemetryUserIds(telemetryKeys, member),
    views,
  } satisfies Partial<SiteServices>;
}
