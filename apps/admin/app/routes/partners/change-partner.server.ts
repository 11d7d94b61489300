import { act } from "@farthing/core/audit/act.server.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { rotateSecret } from "@farthing/core/partners/deliveries.server.ts";
import { findPartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import {
  changedPartnerSchema,
  modeSchema,
  originSchema,
  webhookSchema,
} from "@farthing/core/partners/operator-schema.ts";
import {
  addApiKey,
  allowOrigin,
  changePartner,
  type PartnerChange,
  NoKeysOfHouseError,
  resumePartner,
  revokeApiKey,
  suspendPartner,
  TooManyApiKeysError,
  withdrawOrigin,
} from "@farthing/core/partners/operations.server.ts";
import { webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import { addWebhook, disableWebhook } from "@farthing/core/partners/webhooks.server.ts";
import { data, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import type { Tone } from "../../kit/facts.tsx";
import { momentText } from "../../kit/moment.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { StaleAnswer } from "../../kit/stale-save.tsx";

/** What came of a posted form of a partner. */
export interface PostedPartner {
  act: string;
  typed: Typed;
  tone: Tone;
  says: string | null;
  faults?: Faults;
  /** Whether the page has to ask before it is done. */
  isAsked?: boolean;
  /** Somebody else saved the form first. */
  stale?: StaleAnswer<string>;
  /** Shown in this answer and never again. */
  once?: { label: string; secret: string };
}

/** Does what an owner posted about a partner, with an entry in the log, which never has a key or secret. */
export async function changePartnerAs(
  context: Readonly<RouterContextProvider>,
  { publicId, request }: { publicId: string; request: Request },
) {
  const { db, webhooks } = context.get(servicesContext);
  const actor = actorOf(context);
  const { now } = actor;
  const partner = await findPartnerRecord(db, { publicId });
  if (!partner) throw unknownPartner();
  const partnerId = partner.id;
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<PostedPartner>, status = 200) =>
    data<PostedPartner>({ act: typed["act"] ?? "", typed, tone: "bad", says: null, ...posted }, { status });
  const what = (verb: VerbOf<"partner">, why: string | null = null) =>
    ({
      permission: "partners.change",
      action: `partner.${verb}`,
      subject: { type: "partner", id: publicId },
      why,
    }) as const;
  const confirmed = async (
    verb: VerbOf<"partner">,
    says: string,
    change: Parameters<typeof act<void | boolean>>[3],
  ) => {
    if (typed["confirmed"] !== "yes") return answer({ isAsked: true });
    const why = checkForm(typed, z.object({ why: whySchema }));
    if (!why.ok) return answer({ isAsked: true, faults: why.faults }, 422);
    const isDone = await act(db, actor, what(verb, why.value.why), change);
    return isDone === false
      ? answer({ says: "Nothing was done: it was done before." }, 409)
      : answer({ tone: "good", says });
  };

  if (partner.isHouse && ["webhook", "suspend"].includes(typed["act"] ?? ""))
    return answer({ says: "Nothing was done: this is the club itself." }, 409);
  const { act: doing = "" } = typed;
  switch (doing) {
    case "key": {
      const form = checkForm(typed, modeSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const { mode } = form.value;
      try {
        const { key } = await act(db, actor, what("key"), (joined) => addApiKey(joined, { partnerId, mode }));
        return answer({ tone: "good", once: { label: `API key for ${mode} payments`, secret: key } });
      } catch (error) {
        if (error instanceof NoKeysOfHouseError)
          return answer({ says: "The club itself needs no key: the server mints its tokens." }, 409);
        if (!(error instanceof TooManyApiKeysError)) throw error;
        return answer({ says: `There are two ${mode} keys already. Revoke the old one first.` }, 409);
      }
    }
    case "revoke": {
      const { prefix = "" } = typed;
      if (!partner.keys.some((key) => key.prefix === prefix && key.revokedAt === null))
        return answer({ says: "Nothing was done: this key is not in use." }, 409);
      return confirmed("revoke", "Revoked: it mints no more tokens.", (joined) =>
        revokeApiKey(joined, { prefix, now }),
      );
    }
    case "allow": {
      const form = checkForm(typed, originSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const { origin } = form.value;
      if (partner.origins.includes(origin)) return answer({ says: `${origin} is allowed already.` }, 409);
      await act(db, actor, what("allow"), (joined) => allowOrigin(joined, { partnerId, origin }));
      return answer({ tone: "good", says: `Pages at ${origin} may hold the widget.`, typed: {} });
    }
    case "withdraw": {
      const { origin = "" } = typed;
      if (!partner.origins.includes(origin)) return answer({ says: "Nothing was done: it is not allowed." }, 409);
      return confirmed("withdraw", `Pages at ${origin} may not hold the widget any more.`, (joined) =>
        withdrawOrigin(joined, { partnerId, origin }),
      );
    }
    case "webhook": {
      const form = checkForm(typed, webhookSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const { url, mode } = form.value;
      try {
        const added = await act(db, actor, what("webhook"), (joined) =>
          addWebhook(joined, { partnerId, url, mode, allowLocal: webhooks.allowLocal }),
        );
        const secret = webhookSecret(webhooks.key, added);
        return answer({ tone: "good", typed: {}, once: { label: `Secret of ${url}`, secret } });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return answer({ faults: { url: error.message } }, 422);
      }
    }
    case "rotate": {
      const webhook = partner.webhooks.find(({ id }) => id === typed["webhook"]);
      if (!webhook) return answer({ says: "Nothing was done: it is not a webhook of this partner." }, 409);
      if (webhook.disabledAt) return answer({ says: "Nothing was done: nothing is sent to it." }, 409);
      const { id, mode, url } = webhook;
      const rotated = await act(
        db,
        actor,
        {
          ...what("rotate"),
          changed: ({ outcome }: Awaited<ReturnType<typeof rotateSecret>>) => outcome === "rotated",
        },
        (joined) => rotateSecret(joined, { owner: { partnerId, mode }, id, now }),
      );
      if (rotated.outcome === "rotated")
        return answer({
          tone: "good",
          once: { label: `New secret of ${url}`, secret: webhookSecret(webhooks.key, rotated.webhook) },
        });
      const until = rotated.outcome === "overlapping" ? ` Rotate it again after ${momentText(rotated.until)}.` : "";
      return answer({ says: `Nothing was done: it was rotated already.${until}` }, 409);
    }
    case "disable": {
      const { url = "" } = typed;
      if (!partner.webhooks.some((webhook) => webhook.url === url && webhook.disabledAt === null))
        return answer({ says: "Nothing was done: nothing is sent to it." }, 409);
      return confirmed("disable", `Nothing more is sent to ${url}.`, (joined) =>
        disableWebhook(joined, { partnerId, url, now }),
      );
    }
    case "change": {
      const form = checkForm(typed, changedPartnerSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const { name, per_minute: mintsPerMinute } = form.value;
      const { seen = "" } = typed;
      const saved = await act(
        db,
        actor,
        { ...what("change"), changed: ({ outcome }: PartnerChange) => outcome === "changed" },
        (joined) => changePartner(joined, { partnerId, name, mintsPerMinute, seen }),
      );
      if (saved.outcome !== "stale")
        return saved.outcome === "changed"
          ? answer({ tone: "good", says: "Saved. It counts from the next request on.", typed: {} })
          : answer({ says: "Nothing was changed: it is so already." }, 409);
      const last = await findLastChange(db, { type: "partner", id: publicId });
      const { stored } = saved;
      const fields = [
        { name: "name", label: "Name", theirs: stored.name, yours: name },
        {
          name: "per_minute",
          label: "Tokens a minute",
          theirs: String(stored.mintsPerMinute),
          yours: String(mintsPerMinute),
        },
      ];
      return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, fields, version: saved.seen } }, 409);
    }
    case "suspend":
      if (partner.suspendedAt) return answer({ says: "Nothing was done: it is suspended already." }, 409);
      return confirmed("suspend", "Suspended: its keys, tokens and open frames have stopped.", (joined) =>
        suspendPartner(joined, { partnerId, now }),
      );
    case "resume":
      if (!partner.suspendedAt) return answer({ says: "Nothing was done: it is not suspended." }, 409);
      await act(db, actor, what("resume"), (joined) => resumePartner(joined, { partnerId, now }));
      return answer({ tone: "good", says: "Resumed, with the same keys and origins." });
    default:
      return answer({ says: "Choose what to do." }, 422);
  }
}

export function unknownPartner() {
  return refused(404, { title: "No such partner", text: "There is no partner with this id." });
}
