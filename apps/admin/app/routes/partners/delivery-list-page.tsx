import { act } from "@farthing/core/audit/act.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { deliveryStates } from "@farthing/core/partners/delivery-states.ts";
import { replayDelivery } from "@farthing/core/partners/deliveries.server.ts";
import { deliveryList, type ListedDelivery } from "@farthing/core/partners/operator-records.server.ts";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { deliveryListing } from "./delivery-list.tsx";
import { webhookOf } from "./webhook-of.server.ts";
import type { Route } from "./+types/delivery-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { context, params } = args;
  const { partner, webhook } = await webhookOf(context, params);
  const shown = {
    path: `/admin/partners/${partner.publicId}/webhooks/${webhook.id}` as const,
    states: deliveryStates,
    mayReplay: may(context.get(operatorContext).role, "partners.change") && webhook.disabledAt === null,
  };
  const list = await loadList<ListedDelivery, "time">(args, deliveryListing(shown), (filters) =>
    deliveryList({ ...filters, webhookId: webhook.id }),
  );
  return { shown, list, name: partner.name, publicId: partner.publicId, url: webhook.url, mode: webhook.mode };
}

const idsSchema = z.array(z.uuid()).min(1).max(100);

interface Posted {
  tone: "good" | "bad";
  says: string | null;
  ask: readonly string[] | null;
}

/** Sends the chosen deliveries again, the same events under the same ids: asks first. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const { partner, webhook } = await webhookOf(context, params);
  const answer = (tone: "good" | "bad", says: string, status = 200) =>
    data<Posted>({ tone, says, ask: null }, { status });
  const form = await request.formData();
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return answer("bad", "Choose rows first, at most 100.", 422);
  if (form.get("confirmed") !== "yes") return data<Posted>({ tone: "good", says: null, ask: ids.data });
  const owner = { partnerId: partner.id, mode: webhook.mode };
  let done = 0;
  for (const id of ids.data) {
    const outcome = await act(
      db,
      actor,
      {
        permission: "partners.change",
        action: "delivery.replay",
        subject: { type: "webhook-delivery", id },
        changed: (result: Awaited<ReturnType<typeof replayDelivery>>) => result === "replayed",
      },
      (joined) => replayDelivery(joined, { owner, id, now: actor.now }),
    );
    if (outcome === "replayed") done += 1;
  }
  if (done === 0) return answer("bad", "Nothing was sent: the webhook is disabled, or has no such deliveries.", 409);
  return answer("good", `${done} ${done === 1 ? "is" : "are"} sent again within seconds.`);
}

export default function DeliveryListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, list, name, publicId, url, mode } = loaderData;
  return (
    <>
      <PageHead
        title={`Deliveries to ${url}`}
        crumbs={[
          { label: "Partners", href: "/admin/partners" },
          { label: name, href: `/admin/partners/${publicId}` },
        ]}
        intro={`Events of ${mode} payments. One is tried for a little more than a day; the partner can ask for it again as well.`}
      />
      {actionData?.says && <Notice tone={actionData.tone}>{actionData.says}</Notice>}
      {actionData?.ask && (
        <ConfirmBulk
          title={`Send ${actionData.ask.length === 1 ? "this delivery" : `these ${actionData.ask.length} deliveries`} again?`}
          what={
            <p>
              {name} gets the same{" "}
              {actionData.ask.length === 1 ? "event under the same id" : "events under the same ids"} within seconds,
              also where it has had {actionData.ask.length === 1 ? "it" : "them"} before.
            </p>
          }
          button={`Send ${actionData.ask.length} again`}
          act="replay"
          ids={actionData.ask}
          asksWhy={false}
        />
      )}
      <ListScreen list={deliveryListing(shown)} loaded={list} empty={<p>Nothing has been sent yet.</p>} />
    </>
  );
}
