import { findVerificationView } from "@farthing/core/verification-requests/queries.server.ts";
import { data, href, redirect } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { ProfileShell } from "../members/profile-shell.tsx";
import type { Route } from "./+types/verification-page";
import { ProofChoices } from "./proof-choices.tsx";
import { Standing } from "./standing.tsx";
import { takeProof } from "./take-proof.ts";
import UploadForm from "./upload-form.island.tsx";
import stylesheet from "./verification-page.css?url";
import WorkEmailForm from "./work-email-form.island.tsx";

/** The attachment upload page. */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const view = await findVerificationView(db, { memberId: member.id, brandId: brand.id, now });
  if (!view) throw loginRedirect(request, href("/verification"));
  return { view, sent: readParameters(request, "/verification").sent, now };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const taken = await takeProof(context.get(servicesContext), { brand, member }, request);
  if (taken.outcome === "submitted") throw redirect(pagePath(href("/verification"), { sent: "document" }), 303);
  return data({ problem: taken.problem }, taken.problem.status);
}

export default function VerificationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, sent, now } = loaderData;
  const { maySubmit, kinds, workDomains, memberType, memberStatus, deletions, open } = view;
  const who = memberStatus && memberType ? `${memberType}, ${lowerFirst(memberStatus)}` : memberType;
  return (
    <ProfileShell
      current="verification"
      title="Proof of membership"
      lead={who ? `You joined as: ${who}.` : "Show us that you belong here."}
    >
      <Standing view={view} sent={sent} now={now} />
      {maySubmit && (
        <div className="proof-ways">
          {workDomains.length > 0 && (
            <section className="proof-way" aria-labelledby="work-email-title">
              <h2 id="work-email-title" className="display section-title">
                Fastest: your work or college <span className="proof-email">e-mail</span>
              </h2>
              <WorkEmailForm domains={workDomains} />
            </section>
          )}
          <section className="proof-way" aria-labelledby="document-title">
            <h2 id="document-title" className="display section-title">
              {open ? "Send another instead" : workDomains.length > 0 ? "Or send a document" : "Send a document"}
            </h2>
            <UploadForm
              action={href("/verification")}
              to={href("/verification/attachment")}
              help="One file: JPEG, PNG, BMP, GIF or PDF, up to 20 MB. Lay it flat in good light, with all four corners in the picture."
              button="Send for checking"
              problem={actionData?.problem ?? null}
            >
              <ProofChoices kinds={kinds} />
            </UploadForm>
          </section>
        </div>
      )}
      <section aria-labelledby="privacy-title" className="proof-privacy">
        <h2 id="privacy-title" className="label">
          What happens to your file
        </h2>
        <p className="soft">
          It is stored encrypted, and seen by you and the people who check it, nobody else. Two weeks after the decision
          it is deleted. We keep a record that it is gone, not the file.
        </p>
        {deletions.length > 0 && (
          <ul className="soft" role="list">
            {deletions.map(({ deletedAt, receivedAt }) => (
              <li key={deletedAt.toISOString() + receivedAt.toISOString()}>
                Sent {longDate(receivedAt)}: deleted on {longDate(deletedAt)}.
              </li>
            ))}
          </ul>
        )}
      </section>
    </ProfileShell>
  );
}

function lowerFirst(text: string): string {
  // "NHS employee" keeps its capitals.
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
