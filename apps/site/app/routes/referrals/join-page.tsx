import { formatPence } from "@farthing/core/money/money.ts";
import { findInvitation } from "@farthing/core/invitations/operations.server.ts";
import { friendTerms } from "@farthing/core/invitations/terms.ts";
import { countRegistration } from "@farthing/core/registration/tries.server.ts";
import { data, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { answerHeadersContext, servicesContext, visitContext } from "../../site-context.ts";
import { slowDown } from "../../slow-down.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { RegistrationFrame } from "../registration/registration-frame.tsx";
import type { Route } from "./+types/join-page";
import { invitationCookie } from "./invitation-cookies.ts";
import { markBrowser } from "./mark-browser.ts";

type Shown =
  | { state: "unknown" | "off" | "too-many" }
  | { state: "own" | "member" }
  | { state: "invited"; inviterName: string | null; friendPence: number; terms: string[] };

/** The page that a member's link leads to (C8): the offer and its terms. It shows the inviter's first name only if they agreed. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { brand, member, origin, clientAddress = "unknown" } = context.get(visitContext);
  const { db, now, registrationSecret: secret } = context.get(servicesContext);
  const invitation = await findInvitation(db, { brandId: brand.id, code: params.code, now: now() });
  if (!invitation) {
    const wait = await countRegistration(db, { what: "invitations", brandId: brand.id, of: clientAddress, secret });
    if (wait > 0) return slowDown(context, { state: "too-many" } as Shown, wait);
    return data({ state: "unknown" } as Shown, 404);
  }
  if (member) return data({ state: member.id === invitation.inviterId ? "own" : "member" } as Shown);
  const { programme, inviterName, code } = invitation;
  if (!programme) return data({ state: "off" } as Shown);
  context.get(answerHeadersContext).append("Set-Cookie", invitationCookie(code, origin));
  markBrowser(context, request);
  const { friendPence } = programme;
  return data({ state: "invited", inviterName, friendPence, terms: friendTerms(programme) } as Shown);
}

export default function JoinPage({ loaderData: shown }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  if (shown.state !== "invited")
    return (
      <RegistrationFrame step={null} title={titles[shown.state](brand.name)}>
        <PageHead title={titles[shown.state](brand.name)} isPrivate />
        <OtherStates state={shown.state} brandName={brand.name} />
      </RegistrationFrame>
    );
  const { inviterName, friendPence, terms } = shown;
  const by = inviterName ?? `A member of ${brand.name}`;
  return (
    <RegistrationFrame step={null} title={`You are invited to ${brand.name}`}>
      <PageHead title={`You are invited to ${brand.name}`} isPrivate />
      <p className="friends-offer">
        {by} invites you.{" "}
        {friendPence > 0 ? (
          <>
            Join, and get a welcome bonus of <b>{formatPence(friendPence)}</b> after your first purchase that counts.
          </>
        ) : (
          "Join, and get money back on what you buy."
        )}
      </p>
      <p className="button-row">
        <a className="button is-wide" href="/register" data-tracking="join">
          Join {brand.name}
        </a>
      </p>
      {friendPence > 0 && (
        <section aria-labelledby="terms">
          <h2 id="terms" className="display section-title">
            What has to happen
          </h2>
          <ol className="friends-terms">
            {terms.map((term) => (
              <li key={term}>{term}</li>
            ))}
          </ol>
        </section>
      )}
      <p className="soft">
        We remember this invitation in this browser for 30 days. Already a member? <a href="/login">Log in</a>
      </p>
    </RegistrationFrame>
  );
}

const titles: Record<Exclude<Shown["state"], "invited">, (brand: string) => string> = {
  unknown: () => "This invitation is over",
  off: (brand) => `Join ${brand}`,
  "too-many": () => "Please wait a little",
  own: () => "This is your own link",
  member: () => "You are a member already",
};

function OtherStates({ state, brandName }: { state: Exclude<Shown["state"], "invited">; brandName: string }) {
  switch (state) {
    case "own":
      return (
        <>
          <p>Send it to friends who are not members yet. You can’t invite yourself.</p>
          <p className="button-row">
            <a className="button" href="/money/friends">
              See your invitations
            </a>
          </p>
        </>
      );
    case "member":
      return <p>Invitations are for people who have no account here yet. You can invite friends of your own.</p>;
    case "too-many":
      return (
        <Notice tone="warn" isUrgent title="Too many invitations that don’t exist">
          <p>Please try again in an hour, or join without an invitation.</p>
        </Notice>
      );
    case "unknown":
    case "off":
      return (
        <>
          <p>
            {state === "unknown"
              ? "The link is mistyped, or its owner has replaced it. Ask them for the new one."
              : "There is no welcome bonus at the moment."}{" "}
            You can join {brandName} without it.
          </p>
          <p className="button-row">
            <a className="button" href="/register" data-tracking="join">
              Join {brandName}
            </a>
          </p>
        </>
      );
  }
}
