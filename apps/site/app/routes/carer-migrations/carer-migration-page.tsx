import {
  agreeToCarerMigration,
  findCarerMigration,
  putOffCarerMigration,
} from "@farthing/core/carer-migrations/operations.server.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { data, redirect } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { privatePage } from "../../site-headers.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/carer-migration-page";

export const handle = pageHandle("carer-migrations", "show");

const login = "/login?next=%2Fcarer-migration";

export async function loader({ context }: Route.LoaderArgs) {
  const { brand, member } = context.get(visitContext);
  if (!member) throw redirect(login, { headers: privatePage });
  const { db, now } = context.get(servicesContext);
  const offered = brand.features.carerMigration
    ? await findCarerMigration(db, { memberId: member.id, brandId: brand.id, now: now() })
    : null;
  if (!offered) throw new Response(null, { status: 404, headers: privatePage });
  return data({ offered }, { headers: privatePage });
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand, member } = context.get(visitContext);
  if (!member) throw redirect(login, { headers: privatePage });
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const who = { memberId: member.id, brandId: brand.id, now: now() };
  const answer = form.get("answer");
  if (!brand.features.carerMigration || (answer !== "agree" && answer !== "later"))
    throw new Response(null, { status: 400, headers: privatePage });
  if (answer === "later") {
    await putOffCarerMigration(db, who);
    throw redirect(safeNext(form.get("next"), "/profile"), { status: 303, headers: privatePage });
  }
  const agreed = await agreeToCarerMigration(db, who);
  if (agreed.outcome === "not-offered") throw new Response(null, { status: 404, headers: privatePage });
  throw redirect("/carer-migration", { status: 303, headers: privatePage });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
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
