import { dismissProposal } from "@farthing/core/claims/proposals.server.ts";
import { findClaimsPanel, listClaims, type ClaimItem } from "@farthing/core/claims/queries.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/claims-page";
import { claimStates, claimTitle } from "./claim-words.ts";
import { Proposals } from "./proposals.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const [claims, panel] = await Promise.all([
    listClaims(db, { memberId: member.id, now }),
    findClaimsPanel(db, { memberId: member.id }),
  ]);
  return { claims, proposals: panel.proposals, note: readParameters(request, "/money/claims").note, now };
}

/** Puts a proposed claim away. */
export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const clickNumber = field(await request.formData(), "click", 40);
  if (!(await dismissProposal(db, { memberId: member.id, clickNumber, now: now() }))) throw data(null, 404);
  throw redirect(`${href("/money/claims")}?note=put-away`, 303);
}

/** A member's claims (C7), those under way first. */
export default function ClaimsPage({ loaderData: { claims, proposals, note, now } }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="money"
      title="Claims"
      parent={{ href: "/money", label: "Your money" }}
      lead="A purchase that is missing, too small, or declined wrongly: tell us, and we ask the shop."
    >
      {note === "put-away" && (
        <Notice tone="good" isUrgent title="Thank you">
          <p>We do not ask about that visit again.</p>
        </Notice>
      )}
      <Proposals proposals={proposals} now={now} />
      {claims.length === 0 ? (
        <EmptyState title="No claims">
          <p>Purchases usually show within days. If one does not, choose the visit that led to it.</p>
          <NewClaim />
        </EmptyState>
      ) : (
        <>
          <ol className="purchase-rows" role="list">
            {claims.map((claim) => (
              <ClaimRow key={claim.publicId} claim={claim} now={now} />
            ))}
          </ol>
          <NewClaim />
        </>
      )}
    </ProfileShell>
  );
}

function NewClaim() {
  return (
    <p className="button-row claim-actions">
      <a className="button" href="/money/claims/new">
        Claim a missing purchase
      </a>
    </p>
  );
}

function ClaimRow({ claim, now }: { claim: ClaimItem; now: Date }) {
  const { label, tone } = claimStates[claim.state];
  return (
    <li className="purchase-row">
      <RetailerMark slug={claim.retailer.slug} size={48} isOwn />
      <p>
        <a href={href("/money/claims/:claim", { claim: claim.publicId })}>{claimTitle(claim)}</a>
        <small className="soft">
          Order {claim.orderReference}, {formatPence(claim.salePence)}. {nextOf(claim, now)}
        </small>
      </p>
      <span className="purchase-tags">
        <span className={`tag ${tone}`}>{label}</span>
        {claim.isLate && <span className="tag is-bad">Late</span>}
      </span>
    </li>
  );
}

/** What happens next, and by when. */
function nextOf({ state, doBy, opensAt, changedAt }: ClaimItem, now: Date): string {
  if (state === "incomplete" && doBy) return `Add what is missing by ${dayAndMonth(doBy, now)}.`;
  if (state === "declined" && doBy) return `You can appeal until ${dayAndMonth(doBy, now)}.`;
  if (state === "waiting") return `We send it from ${dayAndMonth(opensAt, now)}, if nothing shows before.`;
  return `Since ${dayAndMonth(changedAt, now)}.`;
}
