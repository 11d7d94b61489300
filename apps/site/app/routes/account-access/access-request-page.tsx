import { findAccessRequest } from "@farthing/core/account-access/queries.server.ts";
import { answerAccess } from "@farthing/core/account-access/request-access.server.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { clock, dayAndMonth } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import { provedMemberOf } from "../sign-in/security-guard.ts";
import { accessWords } from "./access-words.ts";
import type { Route } from "./+types/access-request-page";

const LIST = href("/profile/access");

/** Where a member says yes or no to an operator who asks to act as them (A3). A yes needs a fresh session. */
export async function loader({ context, params: { request: publicId }, request }: Route.LoaderArgs) {
  const { db, ...services } = context.get(servicesContext);
  const now = services.now();
  // Somebody else's question is unknown here, fresh session or not.
  const asked = await findAccessRequest(db, { publicId, memberId: context.get(memberContext).id, now });
  if (!asked) throw data(null, 404);
  const isOpen = asked.standing === "asked";
  if (isOpen) provedMemberOf(context, href("/profile/access/:request", { request: publicId }), "open");
  return {
    isOpen,
    isNotSaved: readParameters(request, "/profile/access/:request").note !== null,
    operator: asked.operator,
    reason: asked.reason,
    words: accessWords(asked, now),
    until: `${dayAndMonth(asked.lapsesAt, now)} at ${clock(asked.lapsesAt)}`,
    club: context.get(visitContext).brand.name,
  };
}

export async function action({ context, params: { request: publicId }, request }: Route.ActionArgs) {
  const answer = field(await request.formData(), "answer");
  if (answer !== "yes" && answer !== "no") throw data(null, 400);
  const path = href("/profile/access/:request", { request: publicId });
  // A no takes nothing from the member, so it needs no password.
  const member = answer === "yes" ? provedMemberOf(context, path, "change") : context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const whose = { brandId: context.get(visitContext).brand.id, memberId: member.id };
  const isAnswered = await answerAccess(db, { publicId, ...whose, answer, now: now() });
  if (isAnswered) throw redirect(`${LIST}?note=${answer}`, 303);
  const asked = await findAccessRequest(db, { publicId, memberId: member.id, now: now() });
  if (!asked) throw data(null, 404);
  // The page says what became of it.
  return data(null, 409);
}

export default function AccessRequestPage({ loaderData }: Route.ComponentProps) {
  const { isOpen, isNotSaved, operator, reason, words, until, club } = loaderData;
  return (
    <ProfileShell
      current="privacy"
      parent={{ href: LIST, label: "Who of us looked at your account" }}
      title={isOpen ? `May ${operator} look at your account?` : "There is nothing to answer"}
      isNotSaved={isOpen && isNotSaved}
    >
      {isOpen ? (
        <div className="stack access-question">
          <p>
            {operator} of {club} asks to open the site as you see it: once, for up to 30 minutes.
          </p>
          <Notice tone="info" title="Why they ask">
            <p>{reason}</p>
          </Notice>
          <h2 className="display section-title">If you say yes</h2>
          <ul>
            <li>
              They see your purchases, cashback, claims, favourites and details, and can help with claims and details.
            </li>
            <li>
              They can’t see or change your password, e-mail addresses, two-step sign-in, bank details, gift-card codes
              or digital ID. They can’t take money out, buy, follow links to shops, copy your data or close the account.
            </li>
            <li>Each page that they open is written down, and you see here that they looked.</li>
            <li>You can end it at any moment.</li>
          </ul>
          <p>Without your yes nothing happens. The question ends by itself on {until}.</p>
          <form method="post" className="access-answer">
            <button type="submit" className="button" name="answer" value="yes">
              Yes, let them look
            </button>
            <button type="submit" className="button is-quiet" name="answer" value="no">
              No
            </button>
          </form>
        </div>
      ) : (
        <>
          <p>{words}</p>
          <p>
            <a href={LIST}>See who looked at your account</a>
          </p>
        </>
      )}
    </ProfileShell>
  );
}
