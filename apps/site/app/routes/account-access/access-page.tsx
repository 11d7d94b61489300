import { findAccessRequests } from "@farthing/core/account-access/queries.server.ts";
import { endAccessRequest } from "@farthing/core/account-access/request-access.server.ts";
import { accessIdSchema } from "@farthing/core/account-access/schema.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import { accessWords, seenWords } from "./access-words.ts";
import type { Route } from "./+types/access-page";

const PATH = href("/profile/access");
const notes = {
  ended: "It is over. Nobody of the club can look at your account now.",
  yes: "You said yes. You can take it back here at any moment.",
  no: "You said no. Nothing happens.",
};

/** Who of the club asked to see the member's account, who did, and how to end it (A3). */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const requests = await findAccessRequests(db, { memberId: context.get(memberContext).id, now });
  const { note } = readParameters(request, "/profile/access");
  return {
    requests: requests.map((one) => ({
      publicId: one.publicId,
      operator: one.operator,
      reason: one.reason,
      standing: one.standing,
      words: accessWords(one, now),
      seen: seenWords(one),
    })),
    club: context.get(visitContext).brand.name,
    note: note && notes[note],
  };
}

/** Ends a request, or the session that runs. Nothing here needs the password, because it only takes access away. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const whose = { brandId: context.get(visitContext).brand.id, memberId: context.get(memberContext).id };
  const publicId = accessIdSchema.safeParse(field(await request.formData(), "end"));
  if (!publicId.success) throw data(null, 400);
  const isEnded = await endAccessRequest(db, { publicId: publicId.data, whose, by: "member", now: now() });
  if (!isEnded && !(await isTheirs(context, publicId.data))) throw data(null, 404);
  throw redirect(`${PATH}?note=ended`, 303);
}

/** Returns whether a request is the member's, though it has ended already: then it is as they wish. */
async function isTheirs(context: Route.ActionArgs["context"], publicId: string): Promise<boolean> {
  const { db, now } = context.get(servicesContext);
  const requests = await findAccessRequests(db, { memberId: context.get(memberContext).id, now: now() });
  return requests.some((one) => one.publicId === publicId);
}

export default function AccessPage({ loaderData: { requests, club, note } }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="privacy"
      parent={{ href: "/profile/privacy", label: "Privacy" }}
      title="Who of us looked at your account"
      lead={`Somebody at ${club} can see the site as you do only if you say yes: once, for up to 30 minutes.`}
    >
      {note && <Notice tone="good" title={note} isUrgent />}
      {requests.length === 0 ? (
        <EmptyState title="Nobody has asked">
          <p>If you ever need help with what you see here, our people can ask you to let them look.</p>
        </EmptyState>
      ) : (
        <ul className="security-list" role="list">
          {requests.map(({ publicId, operator, reason, standing, words, seen }) => (
            <li key={publicId}>
              <p>
                <b>{words}</b>
                <small className="soft">
                  Why: {reason} {seen}
                </small>
              </p>
              {standing === "asked" && (
                <a className="button" href={href("/profile/access/:request", { request: publicId })}>
                  Say yes or no
                </a>
              )}
              {(standing === "allowed" || standing === "running") && (
                <form method="post" action={PATH}>
                  <button type="submit" className="button" name="end" value={publicId}>
                    {standing === "running" ? "End it now" : "Take it back"}
                    <span className="visually-hidden">: {operator}</span>
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
    </ProfileShell>
  );
}
