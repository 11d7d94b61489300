import { findClaim } from "@farthing/core/claims/queries.server.ts";
import { data, href, redirect } from "react-router";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { ProfileShell } from "../members/profile-shell.tsx";
import UploadForm from "../verification-requests/upload-form.island.tsx";
import stylesheet from "../verification-requests/verification-page.css?url";
import type { Route } from "./+types/evidence-page";
import { claimTitle } from "./claim-words.ts";
import { takeEvidence } from "./take-evidence.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const claim = await findClaim(db, { memberId: member.id, publicId: params.claim, now: now() });
  if (!claim) throw data(null, 404);
  return { claim };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const of = { brand, member, publicId: params.claim };
  const taken = await takeEvidence(context.get(servicesContext), of, request);
  if (taken.outcome === "unknown") throw data(null, 404);
  if (taken.outcome === "added")
    throw redirect(`${href("/money/claims/:claim", { claim: params.claim })}?note=evidence`, 303);
  return data({ problem: taken.problem }, taken.problem.status);
}

/** Adds a file to a claim: an order confirmation, or what the retailer asks for. */
export default function EvidencePage({ loaderData: { claim }, actionData }: Route.ComponentProps) {
  const of = { claim: claim.publicId };
  return (
    <ProfileShell
      current="money"
      title="Add evidence"
      parent={{ href: href("/money/claims/:claim", of), label: claimTitle(claim) }}
      lead={claim.asked ?? "The order confirmation, with the order number, the day and the total."}
    >
      {claim.canAddFiles ? (
        <>
          <UploadForm
            action={href("/money/claims/:claim/evidence", of)}
            to={href("/money/claims/:claim/evidence/file", of)}
            help="One file: JPEG, PNG, BMP, GIF or PDF, up to 20 MB. A screenshot is fine. Cover what the shop need not see, such as your card number."
            button="Add the file"
            problem={actionData?.problem ?? null}
          />
          <p className="soft claim-deadline">
            It is stored encrypted, and seen by you and the people who check claims. Two weeks after the end of the
            claim it is deleted.
          </p>
        </>
      ) : (
        <p>Nothing can be added to this claim any more.</p>
      )}
    </ProfileShell>
  );
}
