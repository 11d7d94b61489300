import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { findCarerMove, moveCarer } from "@farthing/core/carer-migrations/move-carer.server.ts";
import { consentWording } from "@farthing/core/registration/rules.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { ErrorSummary } from "@farthing/ui/forms/error-summary.tsx";
import { data, href, useRouteLoaderData } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { field } from "../sign-in/form-field.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/confirm-move-page";

/** The page that the mail of the other club links to. Opening it spends nothing; the button creates the account. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const token = (readParameters(request, "/carer-migration/confirm").token ?? "").slice(0, 100);
  const move = await findCarerMove(db, { brandId: brand.id, token, now: now() });
  return { token, fromName: move?.fromName ?? null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const link = { brandId: brand.id, token: field(form, "token", 100), now: now() };
  const move = await findCarerMove(db, link);
  if (move && field(form, "terms", 10) === "")
    return data({ outcome: null, until: null, token: link.token, ...move, error: REQUIRED_MESSAGE }, 400);
  const moved = await moveCarer(db, { ...link, brandName: brand.name });
  const { outcome } = moved;
  const until = moved.outcome === "held" ? moved.until : null;
  const status = { moved: 200, "has-account": 200, held: 409, over: 410 }[outcome];
  return data({ outcome, until, token: "", fromName: null, error: undefined }, status);
}

export default function ConfirmMovePage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const { token, fromName } = actionData ?? loaderData;
  const outcome = actionData ? actionData.outcome : fromName ? null : "over";
  return (
    <div className="wrap page carer-page">
      <PageHead title={`Join ${brand.name}`} isPrivate />
      <h1 className="display page-title">Join {brand.name}</h1>
      {outcome === null ? (
        <form method="post" action="/carer-migration/confirm">
          {actionData?.error && (
            <ErrorSummary errors={[{ name: "terms", label: "Terms", message: actionData.error }]} />
          )}
          <input type="hidden" name="token" value={token} />
          <p>
            Your account is made with the name, e-mail address, date of birth and password of your {fromName} account,
            which stays as it is.
          </p>
          <CheckboxField
            name="terms"
            label="Terms"
            required
            error={actionData?.error}
            help={
              <>
                They are here: <a href={href("/legal/:page", { page: "terms" })}>terms</a>,{" "}
                <a href={href("/legal/:page", { page: "privacy" })}>privacy notice</a>.
              </>
            }
          >
            {consentWording("terms", brand.name)}
          </CheckboxField>
          <LoadingButton className="is-large">Join {brand.name}</LoadingButton>
        </form>
      ) : (
        <Outcome outcome={outcome} until={actionData?.until ?? null} />
      )}
    </div>
  );
}

const words = {
  moved: {
    title: "Welcome",
    text: "Your account is ready. Log in with the e-mail address and password you know.",
    tone: "good",
  },
  "has-account": {
    title: "You have an account here already",
    text: "It stays as it is. Log in with the password of this club.",
    tone: "good",
  },
  held: {
    title: "This address was removed from an account here",
    text: "That account can have it back for a few days. If you did not remove it, press “This was not me” in our e-mail about it.",
    tone: "warn",
  },
  over: {
    title: "This link is over",
    text: "It works once, for seven days. Agree again at the club you come from, and we send another.",
    tone: "warn",
  },
} as const;

function Outcome({ outcome, until }: { outcome: keyof typeof words; until: Date | null }) {
  const { title, text, tone } = words[outcome];
  return (
    <Notice tone={tone} isUrgent title={title}>
      <p>{text}</p>
      {until && (
        <p>
          If you did, follow the link in our e-mail again after {longDate(until)}. If it is over by then, agree again at
          the club you come from.
        </p>
      )}
      {(outcome === "moved" || outcome === "has-account") && (
        <p>
          <a href={pagePath(href("/login"), { next: href("/verification") })}>Log in</a>
        </p>
      )}
    </Notice>
  );
}
