import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import {
  changeOffer,
  releaseOffer,
  setOfferStatus,
  type OfferChange,
} from "@farthing/core/catalogue/offers/change-offer.server.ts";
import {
  findOfferRecord,
  typedOfOffer,
  type OfferRecord,
} from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import { offerSchema, type OfferForm } from "@farthing/core/catalogue/offers/offer-schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer, type StaleField } from "../../kit/stale-save.tsx";
import { offerChoices } from "./offer-choices.server.ts";
import { OfferFields, offerFaults, offerLabels } from "./offer-form.tsx";
import { OfferState } from "./offer-list.tsx";
import type { Route } from "./+types/offer-page";

const unknown = () => refused(404, { title: "No such offer", text: "Go back to the list of offers." });

const done = {
  saved: "Saved. The site shows it at once.",
  made: "The draft is saved. Look at the preview, then publish it.",
  publish: "Published. Members see it from its start to its end.",
  withdraw: "Withdrawn. It has left the site and the search.",
  release: "The next import writes these fields again.",
} as const;

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const [offer, choices] = await Promise.all([findOfferRecord(db, { publicId: id }), offerChoices(db)]);
  if (!offer) throw unknown();
  const query = new URL(request.url).searchParams;
  const act = Object.entries(done).find(([name]) => query.has(name))?.[0];
  const isHidden = act === "saved" && offer.status !== "live";
  return {
    offer,
    stored: typedOfOffer(offer),
    choices,
    now: now(),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    says: isHidden ? "Saved. Members see it once it is published." : act ? done[act as keyof typeof done] : null,
  };
}

/** What is done to an offer after a question. */
const acts = {
  publish: {
    button: "Publish",
    title: "Publish this offer?",
    what: "Members see it from its start to its end, on the brands that are listed here.",
  },
  withdraw: {
    button: "Withdraw",
    title: "Withdraw this offer?",
    what: "It leaves the site and the search at once, and nobody can reveal its code. Codes that members have been shown stay theirs. Imports leave it withdrawn until somebody publishes it.",
  },
  release: {
    button: "Let imports write it",
    title: "Let imports write these fields again?",
    what: "The next import from the network replaces what operators have set.",
  },
} as const;
type ActName = keyof typeof acts;

interface Answer {
  ask: ActName | null;
  stale: StaleAnswer<string> | null;
  typed: Typed | null;
  faults: Faults;
}
const answer = (changed: Partial<Answer>, status = 422) =>
  data<Answer>({ ask: null, stale: null, typed: null, faults: {}, ...changed }, { status });

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const name = typed["act"] ?? "";
  if (!Object.hasOwn(acts, name)) return await save(context, id, typed);
  const ask = name as ActName;
  const { db } = context.get(servicesContext);
  if (!(await findOfferRecord(db, { publicId: id }))) throw unknown();
  if (typed["confirmed"] !== "yes") return answer({ ask }, 200);
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ ask, faults: why.faults });
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: `offer.${ask}`,
    subject: { type: "offer", id },
    why: why.value.why,
  } as const;
  const { now } = actor;
  const isDone = await act(db, actor, what, (joined) =>
    ask === "release"
      ? releaseOffer(joined, { publicId: id, now })
      : setOfferStatus(joined, { publicId: id, status: ask === "publish" ? "live" : "withdrawn", now }),
  );
  if (isDone) return redirect(`/admin/offers/${id}?${ask}`, 303);
  return answer({ faults: { form: "Nothing was changed: the offer is in that state already." } }, 409);
}

async function save(context: Route.ActionArgs["context"], id: string, typed: Typed) {
  const form = checkForm(typed, offerSchema);
  if (!form.ok) return answer({ typed, faults: offerFaults(form.faults) });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: "offer.change",
    subject: { type: "offer", id },
    changed: ({ outcome }: OfferChange) => outcome === "changed",
  } as const;
  const change = { publicId: id, seen: typed["version"] ?? "", form: form.value, now: actor.now };
  const saved = await act(db, actor, what, (joined) => changeOffer(joined, change));
  switch (saved.outcome) {
    case "changed":
      return redirect(`/admin/offers/${id}?saved`, 303);
    case "unchanged":
      return answer({ typed, faults: { form: "Nothing was changed: the offer has these values already." } }, 409);
    case "refused":
      return answer({ typed, faults: offerFaults(saved.faults as Faults) });
    case "unknown":
      throw unknown();
    case "stale": {
      const last = await findLastChange(db, { type: "offer", id });
      const fields = differences(saved.record, form.value);
      const version = saved.record.fingerprint;
      return answer({ typed, stale: { by: last?.actor ?? null, at: last?.at ?? null, fields, version } }, 409);
    }
  }
}

const WITHOUT_CODE =
  "It is an offer with a code and has none: members are told that there is none now, and get the link alone. Write the code that all members share, or fill its pool.";

function isWithoutCode({ kind, code, pool, variantIds }: OfferRecord): boolean {
  return kind === "code" && code === null && pool.total === 0 && variantIds.every(({ codes }) => codes === 0);
}

function differences(theirs: OfferForm, yours: OfferForm): StaleField[] {
  const [stored, typed] = [typedOfOffer(theirs), typedOfOffer(yours)];
  const listed = (form: OfferForm, name: keyof OfferForm, text: Typed) =>
    name === "categories" || name === "brands" ? form[name].join(", ") : (text[name] ?? "no");
  return (Object.keys(offerLabels) as (keyof OfferForm)[])
    .map((name) => ({
      name,
      label: offerLabels[name],
      theirs: listed(theirs, name, stored),
      yours: listed(yours, name, typed),
    }))
    .filter(({ theirs: one, yours: other }) => one !== other);
}

export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  const { offer, stored, choices, now, mayChange, says } = loaderData;
  const { ask, stale, typed, faults } = actionData ?? { ask: null, stale: null, typed: null, faults: undefined };
  const path = `/admin/offers/${offer.publicId}`;
  return (
    <>
      <PageHead
        title={offer.title}
        crumbs={[{ label: "Offers", href: "/admin/offers" }]}
        intro={
          <>
            <OfferState offer={{ ...offer, retailerStatus: offer.retailer.status }} now={now} /> at{" "}
            {offer.retailer.name}
          </>
        }
      >
        <a href={`${path}/history`}>History and undo</a>
      </PageHead>
      {!actionData && says && <Notice tone="good">{says}</Notice>}
      {!ask && <FaultSummary faults={faults} />}
      {offer.status === "live" && isWithoutCode(offer) && <Notice tone="warn">{WITHOUT_CODE}</Notice>}
      {ask && (
        <Confirm
          title={acts[ask].title}
          what={
            <>
              <p>{acts[ask].what}</p>
              {ask === "publish" && isWithoutCode(offer) && <p>{WITHOUT_CODE}</p>}
            </>
          }
          button={acts[ask].button}
          keep={[["act", ask]]}
          back={path}
          faults={faults}
        />
      )}
      {stale && typed && <StaleSave {...stale} typed={typed} back={path} />}
      <div className="split">
        <section className="panel" aria-labelledby="fields">
          <h2 id="fields">What members see</h2>
          <form method="post" action={path}>
            <fieldset className="plain-fieldset stack" disabled={!mayChange}>
              <VersionField current={offer.fingerprint} {...{ typed, stale }} />
              <OfferFields typed={typed ?? stored} faults={ask ? undefined : faults} choices={choices} />
              {mayChange && (
                <p>
                  <button className="button is-main">Save</button>
                </p>
              )}
            </fieldset>
          </form>
        </section>
        <Side offer={offer} path={path} mayChange={mayChange && !ask} />
      </div>
    </>
  );
}

function Side({ offer, path, mayChange }: { offer: OfferRecord; path: string; mayChange: boolean }) {
  return (
    <div className="stack">
      <section className="panel" aria-labelledby="shown">
        <h2 id="shown">On the site</h2>
        {offer.shownBy.length === 0 ? (
          <p>
            No brand shows it: no brand shows its retailer, or it is only for brands that don’t
            {offer.kind === "app_exclusive" ? ", or that have no app: offers for it turned on, and a store link." : "."}
          </p>
        ) : (
          <>
            <p className="soft">
              {offer.status === "live" ? "Preview it as it is:" : "Preview it as it will be once it is published:"}
            </p>
            <ul className="plain-list">
              {offer.shownBy.map(({ slug, name, host }) => (
                <li key={slug}>{host ? <a href={`${path}/preview/${slug}`}>{name}</a> : name}</li>
              ))}
            </ul>
          </>
        )}
        {mayChange && (
          <form method="post" action={path}>
            {offer.status === "live" ? (
              <button className="button is-danger-quiet" name="act" value="withdraw">
                Withdraw …
              </button>
            ) : (
              <button className="button is-main" name="act" value="publish">
                Publish …
              </button>
            )}
          </form>
        )}
      </section>
      <section className="panel" aria-labelledby="facts">
        <h2 id="facts">Facts</h2>
        <Facts
          facts={[
            { label: "Id", value: <span className="id">{offer.publicId}</span> },
            { label: "Retailer", value: `${offer.retailer.name} (${offer.retailer.slug})` },
            { label: "From", value: offer.network ?? "the club" },
            { label: "Its number there", value: <span className="id">{offer.number}</span> },
            {
              label: "Pool of codes",
              value: (
                <a href={`/admin/codes/${offer.publicId}`}>
                  {offer.pool.total === 0 ? "none: fill one" : `${offer.pool.free} of ${offer.pool.total} left`}
                </a>
              ),
            },
            { label: "Added", value: <Moment at={offer.createdAt} /> },
            { label: "Changed", value: <Moment at={offer.changedAt} /> },
          ]}
        />
      </section>
      {offer.kept.length > 0 && (
        <section className="panel" aria-labelledby="kept">
          <h2 id="kept">Set by operators</h2>
          <p>Imports leave these as they are: {offer.kept.map((name) => name.replaceAll("_", " ")).join(", ")}.</p>
          {mayChange && (
            <form method="post" action={path}>
              <button className="button" name="act" value="release">
                Let imports write them again …
              </button>
            </form>
          )}
        </section>
      )}
    </div>
  );
}
