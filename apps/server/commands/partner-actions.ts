import { commandLine } from "../command-line.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import {
  addApiKey,
  allowOrigin,
  changePartner,
  createPartner,
  resumePartner,
  revokeApiKey,
  suspendPartner,
  NoKeysOfHouseError,
  TooManyApiKeysError,
  withdrawOrigin,
} from "@farthing/core/partners/operations.server.ts";
import {
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateSecret,
} from "@farthing/core/partners/deliveries.server.ts";
import { readKeyPrefix } from "@farthing/core/partners/api-key.ts";
import { partnerModes, type PartnerMode } from "@farthing/core/partners/mode.ts";
import { findPartnerId, findPartnerOfKey, listPartners } from "@farthing/core/partners/queries.server.ts";
import { findPartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import { changedPartnerSchema } from "@farthing/core/partners/operator-schema.ts";
import { isPartnerOrigin } from "@farthing/core/partners/rules.ts";
import { webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import { addWebhook, disableWebhook } from "@farthing/core/partners/webhooks.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { recorded } from "./recorded.ts";

export const PARTNER_USAGE = `${commandLine("partners <action>")}

  list                          all partners, with origins, key prefixes and webhooks
  add <name> <origin>...        creates a partner and shows its API key once
  key <partner> [test]          adds a second API key, shown once; both work until one is revoked. A test key never takes money
  revoke <key prefix>           revokes a key at once
  allow <partner> <origin>      allows pages of another origin to embed the widget
  withdraw <partner> <origin>   removes an origin and ends its open frames
  webhook <partner> <url> [test]
                                adds a webhook for the events of live or test keys, and shows the secret that verifies its
                                signatures
  rotate <partner> <url>        gives a webhook a new secret; the one before signs as well for 24 hours
  disable <partner> <url>       sends nothing more to a webhook; adding it again goes on with the same secret
  deliveries <partner> [test]   the newest 50 deliveries of its webhooks, with each attempt
  replay <partner> <delivery>   sends a delivery again, within seconds
  rename <partner> <name>       changes the name that members read where they pay
  limit <partner> <number>      changes how many tokens its server can mint in a minute, and how many other requests it can make
  suspend <partner>             suspends a partner: API, frames and webhooks stop
  resume <partner>              ends the suspension

<partner> is the id that "list" shows. Your system account is recorded.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class PartnerActionError extends Error {}

export interface PartnerActionParts {
  db: Db;
  /** Key that webhook secrets are derived from. */
  webhookKey: string;
  /** In development webhooks may be on this machine. */
  allowLocal: boolean;
  by: string;
  now(): Date;
}

/** Changes a partner, with an entry in the log on behalf of whoever runs the command. */
const onPartner = <Result>(
  parts: PartnerActionParts,
  verb: VerbOf<"partner">,
  publicId: string,
  change: (joined: Db, at: Date) => Promise<Result>,
  changed?: (result: NoInfer<Result>) => boolean,
): Promise<Result> =>
  recorded<Result>(
    parts,
    {
      permission: "partners.change",
      action: `partner.${verb}`,
      subject: { type: "partner", id: publicId },
      ...(changed && { changed }),
    },
    change,
  );

/**
 * Runs one action of `npm run partners` from its typed words. Returns the lines to print. @throws PartnerActionError
 * that says what to do.
 */
export async function runPartnerAction(
  parts: PartnerActionParts,
  [name = "", ...rest]: readonly string[],
): Promise<string[]> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || rest.length < action.min || rest.length > action.max) throw new PartnerActionError(PARTNER_USAGE);
  return action.run(parts, rest);
}

interface Action {
  /** Number of words that follow. */
  min: number;
  max: number;
  run(parts: PartnerActionParts, words: string[]): Promise<string[]>;
}

const actions: Record<string, Action> = {
  list: { min: 0, max: 0, run: list },
  add: { min: 2, max: 20, run: add },
  key: {
    min: 1,
    max: 2,
    run: async (parts, [id = "", mode]) => {
      const wanted = { partnerId: await partnerOf(parts.db, id), mode: modeOf(mode) };
      const adding = onPartner(parts, "key", id, (joined) => addApiKey(joined, wanted));
      const added = await adding.catch((error: unknown) => {
        if (error instanceof NoKeysOfHouseError)
          throw new PartnerActionError(`${id} is the club itself: the server mints its tokens, and nobody else can.`);
        if (!(error instanceof TooManyApiKeysError)) throw error;
        throw new PartnerActionError(
          `${id} has two ${wanted.mode} keys already. "list" shows them; "revoke" the old one first.`,
        );
      });
      return showKey(added.key);
    },
  },
  revoke: {
    min: 1,
    max: 1,
    run: async (parts, [typed = ""]) => {
      const prefix = readKeyPrefix(typed);
      const owner = await findPartnerOfKey(parts.db, { prefix });
      const revoke = (joined: Db, now: Date) => revokeApiKey(joined, { prefix, now });
      if (owner === null || !(await onPartner(parts, "revoke", owner, revoke)))
        throw new PartnerActionError(`No key in use starts with fpk_${prefix}. "list" shows the prefixes.`);
      return [`The key fpk_${prefix}_… is revoked.`];
    },
  },
  allow: {
    min: 2,
    max: 2,
    run: async (parts, [id = "", origin]) => {
      const allowed = { partnerId: await partnerOf(parts.db, id), origin: originOf(origin) };
      await onPartner(parts, "allow", id, (joined) => allowOrigin(joined, allowed));
      return [`Pages at ${origin} may hold the widget.`];
    },
  },
  withdraw: {
    min: 2,
    max: 2,
    run: async (parts, [id = "", origin]) => {
      const withdrawn = { partnerId: await partnerOf(parts.db, id), origin: originOf(origin) };
      await onPartner(parts, "withdraw", id, (joined) => withdrawOrigin(joined, withdrawn));
      return [`Pages at ${origin} may not hold the widget any more.`];
    },
  },
  webhook: { min: 2, max: 3, run: webhook },
  rotate: { min: 2, max: 2, run: rotate },
  disable: {
    min: 2,
    max: 2,
    run: async (parts, [id = "", url = ""]) => {
      const disabled = { partnerId: await partnerOf(parts.db, id), url };
      if (await onPartner(parts, "disable", id, (joined, now) => disableWebhook(joined, { ...disabled, now })))
        return [`Nothing more is sent to ${url}.`];
      throw new PartnerActionError(`${id} has no webhook at ${url} that is in use. "list" shows them.`);
    },
  },
  deliveries: { min: 1, max: 2, run: deliveries },
  replay: { min: 2, max: 2, run: replay },
  rename: {
    min: 2,
    max: 20,
    run: async (parts, [id, ...words]) => change(parts, id, { name: words.join(" ") }),
  },
  limit: { min: 2, max: 2, run: async (parts, [id, perMinute]) => change(parts, id, { per_minute: perMinute }) },
  suspend: {
    min: 1,
    max: 1,
    run: async (parts, [id = ""]) => {
      const partnerId = await partnerOf(parts.db, id);
      await onPartner(parts, "suspend", id, (joined, now) => suspendPartner(joined, { partnerId, now }));
      return ["Suspended: its keys, tokens and open frames have stopped."];
    },
  },
  resume: {
    min: 1,
    max: 1,
    run: async (parts, [id = ""]) => {
      const partnerId = await partnerOf(parts.db, id);
      await onPartner(parts, "resume", id, (joined, now) => resumePartner(joined, { partnerId, now }));
      return ["Resumed, with the same keys and origins."];
    },
  },
};

async function list({ db }: PartnerActionParts): Promise<string[]> {
  const partners = await listPartners(db);
  if (partners.length === 0) return ['No partner yet. "add" creates one.'];
  return partners.flatMap(({ publicId, name, isSuspended, origins, keyPrefixes, webhookUrls }) => [
    `${publicId}  ${name}${isSuspended ? "  (suspended)" : ""}`,
    `  origins   ${origins.join(" ") || "none"}`,
    `  keys      ${keyPrefixes.map((prefix) => `fpk_${prefix}_…`).join(" ") || "none"}`,
    ...(webhookUrls.length > 0 ? [`  webhooks  ${webhookUrls.join(" ")}`] : []),
  ]);
}

async function add(parts: PartnerActionParts, [name = "", ...origins]: string[]): Promise<string[]> {
  if (name === "" || name.length > 100) throw new PartnerActionError("A partner's name has 1 to 100 characters.");
  const made = { name, origins: origins.map(originOf) };
  const what = {
    permission: "partners.change",
    action: "partner.create",
    subject: { type: "partner", idOf: (partner: { publicId: string; key: string }) => partner.publicId },
  } as const;
  const { publicId, key } = await recorded(parts, what, async (joined) => {
    const partner = await createPartner(joined, made);
    return { publicId: partner.publicId, key: (await addApiKey(joined, { partnerId: partner.id })).key };
  });
  return [`${name} is a partner: ${publicId}`, ...showKey(key)];
}

async function change(parts: PartnerActionParts, publicId = "", typed: Record<string, unknown>) {
  const { db } = parts;
  const partnerId = await partnerOf(db, publicId);
  const stored = await findPartnerRecord(db, { publicId });
  const form = changedPartnerSchema.safeParse({ name: stored?.name, per_minute: stored?.mintsPerMinute, ...typed });
  if (!form.success) throw new PartnerActionError(form.error.issues[0]?.message ?? PARTNER_USAGE);
  const { name, per_minute: mintsPerMinute } = form.data;
  const { outcome } = await onPartner(
    parts,
    "change",
    publicId,
    (joined) => changePartner(joined, { partnerId, name, mintsPerMinute }),
    (done) => done.outcome !== "unchanged",
  );
  if (outcome === "unchanged") throw new PartnerActionError("Nothing was changed: it is so already.");
  return [`${name}: ${mintsPerMinute} tokens a minute.`];
}

async function webhook(parts: PartnerActionParts, [id = "", url = "", mode]: string[]): Promise<string[]> {
  const { db, webhookKey, allowLocal } = parts;
  try {
    const wanted = { partnerId: await partnerOf(db, id), url, allowLocal, mode: modeOf(mode) };
    const added = await onPartner(parts, "webhook", id, (joined) => addWebhook(joined, wanted));
    return [`${url} gets every ${modeOf(mode)} event from now on.`, `Secret: ${webhookSecret(webhookKey, added)}`];
  } catch (error) {
    if (error instanceof RangeError) throw new PartnerActionError(error.message);
    throw error;
  }
}

async function rotate(parts: PartnerActionParts, [partner = "", url = ""]: string[]): Promise<string[]> {
  const { db, webhookKey } = parts;
  const partnerId = await partnerOf(db, partner);
  for (const mode of partnerModes) {
    const owner = { partnerId, mode };
    const found = (await listWebhooks(db, owner)).find((webhook) => webhook.url === url);
    if (!found) continue;
    const rotated = await onPartner(
      parts,
      "rotate",
      partner,
      (joined, now) => rotateSecret(joined, { owner, id: found.id, now }),
      ({ outcome }) => outcome === "rotated",
    );
    if (rotated.outcome === "rotated")
      return [
        `New secret: ${webhookSecret(webhookKey, rotated.webhook)}`,
        `The secret before signs as well until ${rotated.webhook.previousSecretUntil?.toISOString() ?? "now"}.`,
      ];
    const until = rotated.outcome === "overlapping" ? rotated.until.toISOString() : "later";
    throw new PartnerActionError(`This secret was rotated already. Rotate it again after ${until}.`);
  }
  throw new PartnerActionError(`${partner} has no webhook at ${url}. "list" shows them.`);
}

const MAX_LISTED = 50;

async function deliveries({ db }: PartnerActionParts, [partner, mode]: string[]): Promise<string[]> {
  const owner = { partnerId: await partnerOf(db, partner), mode: modeOf(mode) };
  const page = await listDeliveries(db, { owner, filter: {}, cursor: null, max: MAX_LISTED });
  const lines = (page?.deliveries ?? []).flatMap(({ id, createdAt, type, url, state, attempts, history }) => [
    `${id}  ${createdAt.toISOString()}  ${type}  ${state} after ${attempts}  ${url}`,
    ...history.map(
      ({ attemptedAt, durationMs, status, error }) =>
        `  ${attemptedAt.toISOString()}  ${status ?? error ?? "no answer"}  ${durationMs} ms`,
    ),
    ...(history.length === 0 ? ["  not sent yet"] : []),
  ]);
  return lines.length > 0 ? lines : ["No delivery yet."];
}

async function replay(parts: PartnerActionParts, [partner, id = ""]: string[]): Promise<string[]> {
  const what = {
    permission: "partners.change",
    action: "delivery.replay",
    subject: { type: "webhook-delivery", id },
    changed: (done: Awaited<ReturnType<typeof replayDelivery>>) => done === "replayed",
  } as const;
  const partnerId = await partnerOf(parts.db, partner);
  for (const mode of isUuid(id) ? partnerModes : []) {
    const outcome = await recorded(parts, what, (joined, now) =>
      replayDelivery(joined, { owner: { partnerId, mode }, id, now }),
    );
    if (outcome === "replayed") return ["It is sent again within seconds."];
    if (outcome === "disabled") throw new PartnerActionError("Its webhook is disabled. Add it again first.");
  }
  throw new PartnerActionError(`${partner ?? ""} has no delivery ${id}. "deliveries" shows them.`);
}

function modeOf(word = "live"): PartnerMode {
  const mode = partnerModes.find((name) => name === word);
  if (mode) return mode;
  throw new PartnerActionError(`"${word}" is not a mode. Write test, or nothing for live.`);
}

function showKey(key: string): string[] {
  return [
    `API key: ${key}`,
    "It is not shown again. Send it to the partner securely; it must stay on the partner's server.",
  ];
}

async function partnerOf(db: Db, publicId = ""): Promise<string> {
  const id = await findPartnerId(db, { publicId });
  if (id === null) throw new PartnerActionError(`There is no partner ${publicId}. "list" shows them.`);
  return id;
}

function originOf(origin = ""): string {
  if (isPartnerOrigin(origin)) return origin;
  throw new PartnerActionError(
    `${origin} is not an origin. Write it as browsers do, for example https://shop.example: no path, no final slash.`,
  );
}
