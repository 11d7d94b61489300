import {
  agreeToCarerMigration,
  findCarerMigration,
  putOffCarerMigration,
} from "@farthing/core/carer-migrations/operations.server.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { href, redirect } from "react-router";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/carer-migration-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const offered = brand.features.carerMigration
    ? await findCarerMigration(db, { memberId: member.id, brandId: brand.id, now: now() })
    : null;
  if (!offered) throw new Response(null, { status: 404 });
  return { offered };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const who = { memberId: member.id, brandId: brand.id, now: now() };
  const answer = form.get("answer");
  if (!brand.features.carerMigration || (answer !== "agree" && answer !== "later"))
    throw new Response(null, { status: 400 });
  if (answer === "later") {
    await putOffCarerMigration(db, who);
    throw redirect(safeNext(form.get("next"), href("/profile")), 303);
  }
  const agreed = await agreeToCarerMigration(db, who);
  if (agreed.outcome === "not-offered") throw new Response(null, { status: 404 });
  throw redirect(href("/carer-migration"), 303);
}

export default function CarerMigrationPage({ loaderData }: Route.ComponentProps) {
  const { offered } = loaderData;
  const { toName, fromName, toAudience, consent, state } = offered;
  return (
    <div className="wrap page carer-page">
      <PageHead title={`Moving to ${toName}`} isPrivate />
      <h1 className="display page-title">Moving to {toName}</h1>
      {state === "agreed" && (
        <Notice tone="good" isUrgent title="Look in your mailbox">
          <p>
            {toName} has sent you a link. Open it within seven days, and your account there is made. Until then nothing
            is passed on.
          </p>
        </Notice>
      )}
      {state === "moved" ? (
        <Notice tone="good" title={`You have an account at ${toName}`}>
          <p>
            Log in there with the same e-mail address and password. Your {fromName} account stays, with all you have
            earned.
          </p>
        </Notice>
      ) : (
        <>
          <p>
            {toName} is our club for {toAudience}.
          </p>
          <p className="soft">{consent}</p>
          <form method="post" action="/carer-migration">
            <button
              type="submit"
              name="answer"
              value="agree"
              className={state === "agreed" ? "button is-quiet" : "button is-large"}
              data-tracking="migration__agree_to_migrate"
            >
              {state === "agreed" ? "Send the link again" : "Agree"}
            </button>
          </form>
        </>
      )}
      <p>
        <a href="/profile">Back to your account</a>
      </p>
    </div>
  );
}
