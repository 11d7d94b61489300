import { act } from "@farthing/core/audit/act.server.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import { findProductRecord } from "@farthing/core/gift-cards/find-records.server.ts";
import {
  seenReward,
  seenSale,
  setReward,
  stopProduct,
  type Reward,
  type RewardChange,
} from "@farthing/core/gift-cards/operations.server.ts";
import { rewardSchema, stopSchema } from "@farthing/core/gift-cards/operator-schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { FaultSummary, LongField, SelectField, TextField, VersionField } from "../../kit/fields.tsx";
import { KeptWords } from "../../kit/kept-words.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { statusWords } from "../retailers/retailer-list.tsx";
import { percent, ProductState } from "./product-list.tsx";
import type { Route } from "./+types/product-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const product = await findProductRecord(db, { publicId: params.product });
  if (!product) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    product,
    seen: seenSale(product),
    version: seenReward({ kind: product.rewardKind, basisPoints: product.rewardBp }),
    mayChange: may(role, "gift-cards.change"),
    maySeeLog: may(role, "audit.see"),
    maySeeRetailer: may(role, "catalogue.see"),
  };
}

interface Posted {
  act: string;
  tone: Tone;
  says: string | null;
  typed: Typed;
  isAsked?: boolean;
  faults?: Faults;
  stale?: StaleAnswer<string>;
}

const rewardLabels = { kind: "As", percent: "Per cent" };
const kindChoices = [
  { value: "discount", label: "a discount" },
  { value: "cashback", label: "cashback" },
];
const typedOfReward = ({ kind, basisPoints }: Reward): Typed => ({ kind, percent: String(basisPoints / 100) });

/** Stops or resumes the sale of a product, marks its retailer as insolvent, or sets what buyers get. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ act: typed["act"] ?? "", tone: "bad", says: null, typed, ...posted }, { status });
  const product = await findProductRecord(db, { publicId: params.product });
  if (!product) throw unknown();
  const { issuerProductId } = product;
  const what = (verb: VerbOf<"gift-card-product">, why: string | null = null) =>
    ({
      permission: "gift-cards.change",
      action: `gift-card-product.${verb}`,
      subject: { type: "gift-card-product", id: params.product },
      why,
    }) as const;

  const { act: doing = "", seen: sale = "" } = typed;
  const seen = { publicId: params.product, sale };
  const decided = (outcome: Awaited<ReturnType<typeof stopProduct>>) => outcome === "done";
  // What was typed stays, to be sent in view of what the sale is now.
  const { seen: _seen, ...words } = typed;
  const says = "Nothing was done: somebody has stopped or resumed its sale meanwhile. See below.";
  const stale = () => answer({ says, typed: words }, 409);
  switch (doing) {
    case "stop":
    case "insolvent": {
      const isInsolvent = typed["act"] === "insolvent";
      const form = checkForm(typed, stopSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true });
      const why = checkForm(typed, z.object({ why: whySchema }));
      if (!why.ok) return answer({ isAsked: true, faults: why.faults }, 422);
      const { because } = form.value;
      const stopped = await act(
        db,
        actor,
        { ...what(isInsolvent ? "insolvent" : "stop", why.value.why), changed: decided },
        (joined) => stopProduct(joined, { issuerProductId, because, isInsolvent, seen, now: actor.now }),
      );
      if (stopped !== "done") return stale();
      const done = isInsolvent
        ? "It is not sold any more, and the owners of unused cards are written to, each once."
        : "It is not sold any more. Paid lines of it that are not issued are refunded.";
      return answer({ tone: "good", says: done, typed: {} });
    }
    case "resume": {
      const resumed = await act(db, actor, { ...what("resume"), changed: decided }, (joined) =>
        stopProduct(joined, { issuerProductId, because: null, seen, now: actor.now }),
      );
      if (resumed !== "done") return stale();
      return answer({
        tone: "good",
        says: product.retailerTrouble
          ? "The stop is lifted. It is not sold before its retailer is active or paused."
          : "It is sold again.",
      });
    }
    case "reward": {
      const form = checkForm(typed, rewardSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const { kind, percent: basisPoints } = form.value;
      const shown = { publicId: params.product, reward: typed["version"] ?? "" };
      const changed = ({ outcome }: RewardChange) => outcome === "changed";
      const saved = await act(db, actor, { ...what("reward"), changed }, (joined) =>
        setReward(joined, { issuerProductId, kind, basisPoints, seen: shown }),
      );
      switch (saved.outcome) {
        case "changed":
          return answer({ tone: "good", says: "Saved. Orders that are placed from now on get it.", act: "" });
        case "unchanged":
          return answer({ says: "Nothing was changed: buyers get this already." }, 409);
        case "refused":
          return answer(
            { faults: { percent: `At most the issuer’s discount, ${percent(product.issuerDiscountBp)}.` } },
            422,
          );
        case "stale": {
          const { subject } = what("reward");
          const now = { stored: typedOfReward(saved.stored), version: seenReward(saved.stored) };
          const form = { labels: rewardLabels, choices: { kind: kindChoices } };
          return answer({ stale: await staleAnswer(db, { subject, ...now, ...form, typed }) }, 409);
        }
      }
    }
    default:
      return answer({ says: "Choose what to do." }, 422);
  }
}

function unknown() {
  return refused(404, { title: "No such product", text: "There is no gift-card product with this number." });
}

function RetailerLink({ slug, name, isLink }: { slug: string; name: string; isLink: boolean }) {
  return isLink ? <a href={`/admin/retailers/${slug}`}>{name}</a> : <>{name}</>;
}

export default function ProductPage({
  loaderData: { product, seen, version, mayChange, maySeeLog, maySeeRetailer },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/gift-cards/products/${product.publicId}`;
  const isInsolvency = posted?.act === "insolvent";
  const stopping = posted?.act === "stop" || isInsolvency ? posted : undefined;
  const rewarding = posted?.act === "reward" ? posted : undefined;
  return (
    <>
      <PageHead
        title={product.name}
        crumbs={[{ label: "Gift-card products", href: "/admin/gift-cards/products" }]}
        intro={<ProductState {...product} />}
      >
        {maySeeLog && <a href={`/admin/audit/gift-card-product/${product.publicId}`}>History in the log</a>}
      </PageHead>
      {product.retailer && product.retailerTrouble && (
        <Notice tone="warn">
          It is not sold: its retailer, <RetailerLink {...product.retailer} isLink={maySeeRetailer} />, is{" "}
          {statusWords[product.retailerTrouble].toLowerCase()}. Owners of unused cards are told, each once. It is sold
          again when the retailer is active or paused
          {product.stoppedAt && " and somebody presses “Sell it again”"}.
        </Notice>
      )}
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      {stopping?.tone === "bad" && (product.isInsolvent || !stopping.isAsked) && (
        <KeptWords
          typed={stopping.typed}
          labels={{ ...(product.isInsolvent && { because: "Why it is not sold" }), why: "Why" }}
        />
      )}
      {posted?.isAsked && (
        <Confirm
          title={
            isInsolvency ? `Mark the retailer of ${product.name} as insolvent?` : `Stop the sale of ${product.name}?`
          }
          what={
            <>
              <p>
                It is not sold any more. {product.openLines} paid {product.openLines === 1 ? "card" : "cards"} on the
                way {product.openLines === 1 ? "is" : "are"} refunded where no card was made.
              </p>
              {isInsolvency && (
                <p>
                  The owners of unused cards, of {product.issuedLines} that were issued, get an e-mail with these words,
                  once; that can’t be taken back:
                </p>
              )}
              <blockquote>{posted.typed["because"]}</blockquote>
            </>
          }
          button={isInsolvency ? "Mark as insolvent" : "Stop the sale"}
          keep={[
            ["act", posted.act],
            ["because", posted.typed["because"] ?? ""],
            ["seen", posted.typed["seen"] ?? ""],
          ]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      <div className="split">
        <section className="panel" aria-labelledby="facts">
          <h2 id="facts">The product</h2>
          <Facts
            facts={[
              {
                label: "Retailer",
                value: product.retailer ? (
                  <RetailerLink {...product.retailer} isLink={maySeeRetailer} />
                ) : (
                  "none of this name in the catalogue"
                ),
              },
              { label: "Issuer", value: product.issuer },
              { label: "Its id", value: <span className="id">{product.issuerProductId}</span> },
              { label: "Issuer’s discount", value: percent(product.issuerDiscountBp) },
              { label: "Buyers get", value: `${percent(product.rewardBp)} ${product.rewardKind}` },
              { label: "Cards on the way", value: product.openLines },
              { label: "Cards issued", value: product.issuedLines },
              { label: "Can be taken back", value: product.isReversible ? "yes, within 48 hours" : "no" },
              { label: "Read", value: <Moment at={product.syncedAt} /> },
              { label: "Withdrawn", value: <Moment at={product.withdrawnAt} /> },
              { label: "Stopped", value: <Moment at={product.stoppedAt} /> },
              { label: "Because", value: product.stoppedBecause },
            ]}
          />
        </section>
        {mayChange && !posted?.isAsked && (
          <div className="stack">
            <section className="panel" aria-labelledby="reward">
              <h2 id="reward">What buyers get</h2>
              <FaultSummary faults={rewarding?.faults} />
              <form method="post" action={path}>
                <VersionField current={version} typed={rewarding?.typed} stale={rewarding?.stale} />
                <SelectField
                  name="kind"
                  label={rewardLabels.kind}
                  choices={kindChoices}
                  value={product.rewardKind}
                  typed={rewarding?.typed}
                  faults={rewarding?.faults}
                />
                <TextField
                  name="percent"
                  label={rewardLabels.percent}
                  help={`At most the issuer’s discount, ${percent(product.issuerDiscountBp)}.`}
                  inputMode="decimal"
                  max={10}
                  value={product.rewardBp / 100}
                  typed={rewarding?.typed}
                  faults={rewarding?.faults}
                />
                <button className="button is-main" name="act" value="reward">
                  Save
                </button>
              </form>
            </section>
            <section className="panel" aria-labelledby="sale">
              <h2 id="sale">Its sale</h2>
              {product.stoppedAt && (
                <form method="post" action={path}>
                  <VersionField name="seen" current={seen} />
                  <button className="button" name="act" value="resume">
                    Sell it again
                  </button>
                </form>
              )}
              {!product.isInsolvent && (
                <form method="post" action={path}>
                  <FaultSummary faults={stopping?.faults} />
                  <VersionField name="seen" current={seen} typed={stopping?.typed} />
                  <LongField
                    name="because"
                    label="Why it is not sold"
                    help="Owners of unused cards read it where the retailer is insolvent."
                    max={500}
                    typed={stopping?.typed}
                    faults={stopping?.faults}
                  />
                  <p className="acts">
                    {!product.stoppedAt && (
                      <button className="button is-danger-quiet" name="act" value="stop">
                        Stop the sale …
                      </button>
                    )}
                    <button className="button is-danger-quiet" name="act" value="insolvent">
                      The retailer is insolvent …
                    </button>
                  </p>
                </form>
              )}
            </section>
          </div>
        )}
      </div>
    </>
  );
}
