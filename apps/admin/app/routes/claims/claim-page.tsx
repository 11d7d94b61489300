import { findClaimRecord } from "@farthing/core/claims/find-record.server.ts";
import { canGo } from "@farthing/core/claims/rules.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { changeClaimAs } from "./change-claim.server.ts";
import { AskFirst, ClaimForms, LateDecision } from "./claim-forms.tsx";
import { ClaimStateBadge, kindWords, nextWords } from "./claim-list.tsx";
import { ClaimEvidence, ClaimHistory, ClaimPurchases, ClaimRivals } from "./claim-parts.tsx";
import type { Route } from "./+types/claim-page";

export async function loader({ context, params: { claim: publicId } }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const claim = await findClaimRecord(db, { publicId, now: now() });
  if (!claim) throw refused(404, { title: "No such claim", text: "There is no claim with this number." });
  const { role } = context.get(operatorContext);
  return {
    claim,
    mayDecide: may(role, "claims.decide"),
    maySettle: may(role, "money.change") && canGo(claim.state, "goodwill"),
    maySeeLog: may(role, "audit.see"),
  };
}

export function action({ context, params, request }: Route.ActionArgs) {
  return changeClaimAs(context, { publicId: params.claim, request });
}

export default function ClaimPage({
  loaderData: { claim, mayDecide, maySettle, maySeeLog },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/claims/${claim.publicId}`;
  const commission = claim.expected?.commissionPence ?? null;
  return (
    <>
      <PageHead
        title={`Claim ${claim.publicId}`}
        crumbs={[{ label: "Claims", href: "/admin/claims" }]}
        intro={
          <>
            <ClaimStateBadge state={claim.state} /> {claim.retailer}, {kindWords[claim.kind]}; waits for{" "}
            {nextWords(claim)}
          </>
        }
      >
        {maySeeLog && <a href={`/admin/audit/claim/${claim.publicId}`}>History in the log</a>}
      </PageHead>
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      <LateDecision claim={claim} posted={posted} maySettle={maySettle} />
      {posted?.isAsked && <AskFirst path={path} claim={claim} posted={posted} />}
      {claim.lastError && (
        <Notice tone="warn">
          {claim.givenUpAt ? "The worker gave it up" : "The last attempt failed"}: {claim.lastError}
        </Notice>
      )}
      <div className="split">
        <div className="stack">
          <section className="panel" aria-labelledby="says">
            <h2 id="says">What the member says</h2>
            <Facts
              facts={[
                { label: "Order", value: <span className="id">{claim.orderReference}</span> },
                { label: "Paid", value: <Amount pence={claim.salePence} /> },
                { label: "Bought on", value: <Moment at={`${claim.purchasedOn}T12:00:00Z`} isDay /> },
                { label: claim.filingCount > 0 ? "Appeal" : "Words", value: claim.appeal },
                { label: "Made", value: <Moment at={claim.madeAt} /> },
                {
                  label: "Member",
                  value: (
                    <>
                      <a href={`/admin/members/${claim.memberId}`}>{claim.memberName}</a>{" "}
                      <span className="id">{claim.memberNumber}</span> of {claim.brandName}
                      {claim.memberSuspendedAt && " (suspended)"}
                    </>
                  ),
                },
              ]}
            />
          </section>
          <ClaimEvidence path={path} files={claim.files} />
          <ClaimPurchases claim={claim} />
          <ClaimRivals claim={claim} />
          <ClaimHistory changes={claim.changes} />
        </div>
        <div className="stack">
          {mayDecide && !posted?.isAsked && (
            <ClaimForms path={path} claim={claim} posted={posted} maySettle={maySettle} />
          )}
          <section className="panel" aria-labelledby="visit">
            <h2 id="visit">The visit</h2>
            <Facts
              facts={[
                { label: "Click", value: <span className="id">{claim.clickNumber}</span> },
                { label: "On", value: <Moment at={claim.clickedAt} /> },
                { label: "Browser", value: claim.preFlight?.replaceAll("_", " ") ?? "not checked" },
                {
                  label: "Cashback by its rates",
                  value: claim.expected && <Amount pence={claim.expected.cashbackPence} />,
                },
                { label: "Commission", value: commission === null ? null : <Amount pence={commission} /> },
              ]}
            />
          </section>
          <section className="panel" aria-labelledby="filed">
            <h2 id="filed">With the network</h2>
            <Facts
              facts={[
                { label: "Network", value: claim.networkName },
                { label: "File by", value: <Moment at={claim.closesAt} isDay /> },
                ...claim.filings.flatMap(({ reference, filedAt, packNumber, networkClaimId }, index) => [
                  {
                    label: index === 0 ? "Filed" : "Appeal filed",
                    value: (
                      <>
                        <Moment at={filedAt} /> {packNumber !== null && `in pack ${packNumber}`}
                      </>
                    ),
                  },
                  { label: "Reference", value: <span className="id">{networkClaimId ?? reference}</span> },
                ]),
                { label: "Approves itself", value: <Moment at={claim.autoApprovesAt} isDay /> },
                { label: "Asked", value: claim.asked },
                { label: "Reason", value: claim.reasonCode },
                { label: "Answer", value: claim.answer },
                { label: "Appeal until", value: <Moment at={claim.appealUntil} isDay /> },
              ]}
            />
          </section>
        </div>
      </div>
    </>
  );
}
