import { endAlertByToken } from "@farthing/core/alerts/operations.server.ts";
import { findAlertByToken } from "@farthing/core/alerts/queries.server.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/stop-alert-page";

/**
 * The page that an alert's mail links to. It asks first, because mail scanners open links. It works without a login.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const token = readParameters(request, "/alerts/stop").token ?? "";
  const alert = await findAlertByToken(context.get(servicesContext).db, { brandId: brand.id, token });
  return { alert, token };
}

/** Mail programs with a button of their own post here too (RFC 8058). They read only the status. */
export async function action({ context, request }: Route.ActionArgs) {
  const { brand } = context.get(visitContext);
  const form = await request.formData();
  const typed = form.get("token");
  const token = typeof typed === "string" ? typed : (readParameters(request, "/alerts/stop").token ?? "");
  const ended = await endAlertByToken(context.get(servicesContext).db, { brandId: brand.id, token });
  return { ended };
}

export default function StopAlertPage({ loaderData: { alert, token }, actionData }: Route.ComponentProps) {
  const ended = actionData?.ended;
  const title = ended ? "No more mails about this rate" : alert ? "Stop watching this rate?" : "This alert has ended";
  return (
    <div className="wrap page">
      <PageHead title={title} isPrivate />
      <h1 className="display page-title">{title}</h1>
      {ended ? (
        <p>We don’t write to you any more when the rate at {ended.retailerName} rises.</p>
      ) : alert ? (
        <form method="post" action="/alerts/stop" className="stop-alert">
          <p>We write to you when the cashback rate at {alert.retailerName} rises.</p>
          <input type="hidden" name="token" value={token} />
          <button type="submit" className="button">
            Stop these mails
          </button>
        </form>
      ) : (
        <p>There is nothing left to stop: we don’t write to you about it.</p>
      )}
      <p>
        <a href="/favourites">See your favourites and alerts</a>
      </p>
    </div>
  );
}
