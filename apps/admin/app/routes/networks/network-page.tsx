import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { decimalShare, memberShareSchema } from "@farthing/core/catalogue-imports/member-share.ts";
import {
  changeMemberShare,
  findNetworkRecord,
  findShareEffect,
  type ChangedShare,
  type ShareEffect,
} from "@farthing/core/catalogue-imports/member-share.server.ts";
import { formatRate } from "@farthing/core/money/money.ts";
import { findReadUntil } from "@farthing/core/networks/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { ShareQuestion } from "./share-question.tsx";
import type { Route } from "./+types/network-page";

const unknown = () => refused(404, { title: "No such network", text: "Go back to the list of networks." });

export async function loader({ context, params: { network: slug }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const [network, reads] = await Promise.all([findNetworkRecord(db, { slug, now: now() }), findReadUntil(db)]);
  if (!network) throw unknown();
  const { role } = context.get(operatorContext);
  const read = reads.get(slug);
  return {
    network,
    readUntil: read?.isRead ? read.until : null,
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "money.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  says?: string;
  /** The share that is to be set, once it is confirmed, and what it does. */
  asked?: { share: number } & ShareEffect;
  stale?: StaleAnswer;
}

/** Shows what another share does to members' rates; with `confirmed`, sets it. */
export async function action({ context, params: { network: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  const network = await findNetworkRecord(db, { slug, now: actor.now });
  if (!network) throw unknown();
  const form = checkForm(typed, memberShareSchema.extend({ version: versionField }));
  if (!form.ok) return answer({ faults: form.faults });
  const { share, version } = form.value;
  if (version !== network.memberShareBp) return answer(await staleAnswer(network.memberShareBp), 409);
  if (share === version) return answer({ says: "Nothing was changed: members have this share already." }, 409);
  const ask = async (faults: Faults, status: number) =>
    answer({ asked: { share, ...(await findShareEffect(db, { slug, share })) }, faults }, status);
  if (typed["confirmed"] !== "yes") return await ask({}, 200);
  const reason = checkForm(typed, z.object({ why: whySchema }));
  if (!reason.ok) return await ask(reason.faults, 422);
  const changed = await act(
    db,
    actor,
    {
      permission: "money.change",
      action: "network.change-share",
      subject: { type: "network", id: slug },
      why: reason.value.why,
      changed: ({ outcome }: ChangedShare) => outcome === "changed",
    },
    (joined) => changeMemberShare(joined, { slug, share, version, now: actor.now }),
  );
  switch (changed.outcome) {
    case "changed":
      return redirect(`/admin/networks/${slug}?saved`, 303);
    case "busy":
      return await ask(
        { form: "An import is running, and writes rates. Wait until it has ended, and confirm again." },
        409,
      );
    case "stale":
      return answer(await staleAnswer(changed.stored), 409);
    case "unchanged":
      return answer({ says: "Nothing was changed: members have this share already." }, 409);
    case "unknown":
      throw unknown();
  }

  async function staleAnswer(stored: number): Promise<Pick<Posted, "stale">> {
    const last = await findLastChange(db, { type: "network", id: slug });
    const fields = [
      { name: "share", label: "Members’ share, %", theirs: decimalShare(stored), yours: typed["share"] ?? "" },
    ];
    return { stale: { by: last?.actor ?? null, at: last?.at ?? null, version: stored, fields } };
  }
}

export default function NetworkPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { network, readUntil, isSaved, mayChange, maySeeLog } = loaderData;
  const { slug, name, memberShareBp, programmes, joined, rates, boosts } = network;
  const path = `/admin/networks/${slug}`;
  // The question has its own.
  const faults = posted?.asked ? undefined : posted?.faults;
  // What was confirmed is asked again: it was about another share.
  const { confirmed: _confirmed, why: _why, ...typed } = posted?.typed ?? {};
  return (
    <>
      <PageHead title={name} crumbs={[{ label: "Networks", href: "/admin/networks" }]}>
        {maySeeLog && <a href={`/admin/audit/network/${slug}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && (
        <Notice tone="good">
          Saved. Members’ rates are worked out anew. Pages show them at once; the search and alerts follow within
          minutes.
        </Notice>
      )}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      {posted?.stale && <StaleSave {...posted.stale} typed={typed} back={path} />}
      {posted?.asked && (
        <ShareQuestion
          {...posted.asked}
          {...{ name, boosts, path }}
          from={memberShareBp}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      <section className="panel" aria-labelledby="facts">
        <h2 id="facts">The network</h2>
        <Facts
          facts={[
            { label: "Members’ share", value: formatRate(memberShareBp) },
            { label: "Programmes", value: `${programmes}, of which ${joined} joined` },
            { label: "Rates", value: rates },
            { label: "Boosts, set by hand", value: boosts },
            { label: "All reports read up to", value: <Moment at={readUntil} /> },
          ]}
        />
      </section>
      {mayChange && (
        <section className="panel" aria-labelledby="share-title">
          <h2 id="share-title">Members’ share</h2>
          <FaultSummary faults={faults} />
          <form method="post" action={path}>
            <VersionField current={memberShareBp} typed={posted?.typed} stale={posted?.stale} />
            <TextField
              name="share"
              label="Share of the commission, in per cent"
              help="What members get of what the network pays us, from 1 to 100. Rates are rounded down: percentages to 0.05, amounts to a penny."
              inputMode="decimal"
              max={8}
              value={decimalShare(memberShareBp)}
              typed={posted?.typed}
              faults={faults}
            />
            <button className="button is-main">Change …</button>
          </form>
        </section>
      )}
    </>
  );
}
