import { act } from "@farthing/core/audit/act.server.ts";
import { setOfferStatus } from "@farthing/core/catalogue/offers/change-offer.server.ts";
import { findOfferTitles } from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import { offerList, type ListedOffer, type OfferListSort } from "@farthing/core/catalogue/offers/list-offers.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults } from "../../kit/read-form.ts";
import { offerChoices } from "./offer-choices.server.ts";
import { offerListing } from "./offer-list.tsx";
import type { Route } from "./+types/offer-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, now: clock } = args.context.get(servicesContext);
  const now = clock();
  const choices = await offerChoices(db);
  return {
    choices,
    now,
    mayChange: may(args.context.get(operatorContext).role, "catalogue.change"),
    list: await loadList<ListedOffer, OfferListSort>(args, offerListing(choices, now), (filters) =>
      offerList(filters, now),
    ),
  };
}

const idsSchema = z
  .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/))
  .min(1)
  .max(100);

interface Posted {
  act: "publish" | "withdraw";
  ask: { publicId: string; title: string }[] | null;
  says: { tone: "good" | "bad"; text: string } | null;
  faults?: Faults;
}

/** Publishes or withdraws the chosen offers: asks first, then does each with an entry of its own in the log. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const form = await request.formData();
  const typed = typedIn(form);
  const doing = typed["act"] === "publish" ? "publish" : "withdraw";
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ act: doing, ask: null, says: null, ...posted }, { status });
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return answer({ says: { tone: "bad", text: "Choose rows first, at most 100." } }, 422);
  const offers = await findOfferTitles(db, { publicIds: ids.data });
  if (typed["confirmed"] !== "yes") return answer({ ask: offers });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ ask: offers, faults: why.faults }, 422);
  let done = 0;
  for (const { publicId } of offers) {
    const what = {
      permission: "catalogue.change",
      action: `offer.${doing}`,
      subject: { type: "offer", id: publicId },
      why: why.value.why,
    } as const;
    const status = doing === "publish" ? "live" : "withdrawn";
    if (await act(db, actor, what, (joined) => setOfferStatus(joined, { publicId, status, now: actor.now }))) done += 1;
  }
  const skipped = offers.length - done;
  const text = `${done} ${doing === "publish" ? "published" : "withdrawn"}.${skipped > 0 ? ` ${skipped} were so already.` : ""}`;
  return answer({ says: { tone: "good", text } });
}

const questions = {
  publish: {
    title: "Publish",
    what: "Members see them from their start to their end, on every brand that shows their retailer:",
  },
  withdraw: {
    title: "Withdraw",
    what: "They leave the site and the search at once. Nobody can reveal their codes, and imports leave them withdrawn until somebody publishes them:",
  },
} as const;

export default function OfferListPage({
  loaderData: { choices, now, mayChange, list },
  actionData: posted,
}: Route.ComponentProps) {
  const listing = offerListing(choices, new Date(now));
  const question = posted && questions[posted.act];
  const count = posted?.ask?.length ?? 0;
  return (
    <>
      <PageHead title="Offers">
        {mayChange && <a href="/admin/offers/new">New offer</a>}
        <a href="/admin/offers/file">The club’s own as a file</a>
      </PageHead>
      {posted?.says && <Notice tone={posted.says.tone}>{posted.says.text}</Notice>}
      {posted?.ask && question && (
        <ConfirmBulk
          title={`${question.title} ${count === 1 ? "this offer" : `these ${count} offers`}?`}
          what={
            <>
              <p>{question.what}</p>
              <ul>
                {posted.ask.map(({ publicId, title }) => (
                  <li key={publicId}>{title}</li>
                ))}
              </ul>
            </>
          }
          button={`${question.title} ${count}`}
          act={posted.act}
          ids={posted.ask.map(({ publicId }) => publicId)}
          faults={posted.faults}
        />
      )}
      <ListScreen
        list={mayChange ? listing : { ...listing, bulk: [] }}
        loaded={list}
        empty={<p>There are no offers yet. Import a network’s promotions, or make one of your own.</p>}
      />
    </>
  );
}
