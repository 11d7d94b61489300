import { formatPence } from "@farthing/core/money/money.ts";
import { paths } from "@farthing/core/paths.ts";
import { findOwnCode, replaceCode, showFirstName } from "@farthing/core/invitations/operations.server.ts";
import { markOfMailbox, rememberMarks } from "@farthing/core/invitations/marks.server.ts";
import { findFriends } from "@farthing/core/referrals/queries.server.ts";
import { data, href, redirect, useRouteLoaderData } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/friends-page";
import { friendWords } from "./bonus-words.ts";
import { BonusItem, InvitationList } from "./invitation-list.tsx";
import { OwnLink } from "./own-link.tsx";
import { ProgrammeTermsSection } from "./programme-terms.tsx";
import { markBrowser } from "./mark-browser.ts";

const PATH = href("/money/friends");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { brand, origin } = context.get(visitContext);
  const { db, now: clock, registrationSecret: secret } = context.get(servicesContext);
  const now = clock();
  const own = { brandId: brand.id, memberId: member.id, now };
  const view = await findFriends(db, own);
  const { note } = readParameters(request, "/money/friends");
  if (!view.programme) return { view, link: null, showsFirstName: false, note, now };
  const marks = { browser: markBrowser(context, request), mailbox: markOfMailbox(member.email, secret) };
  await rememberMarks(db, { ...own, marks });
  const { code, showsFirstName } = await findOwnCode(db, own);
  return { view, link: `${origin}${paths.invitation(code)}`, showsFirstName, note, now };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id, now: now() };
  const form = await request.formData();
  const intent = field(form, "intent");
  if (intent === "new-link") await replaceCode(db, own);
  else if (intent === "name") await showFirstName(db, { ...own, isShown: form.has("shows_first_name") });
  else throw data(null, 400);
  throw redirect(`${PATH}?note=${intent}`, 303);
}

/** What a member has to do with inviting friends (C8): their link, what became of it, their own welcome bonus, and the terms. */
export default function FriendsPage({ loaderData: { view, link, showsFirstName, note, now } }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const { programme, welcome, invitations, joined } = view;
  const minCashback = formatPence(welcome?.minCashbackPence ?? 0);
  return (
    <ProfileShell
      current="money"
      parent={{ href: "/money", label: "Your money" }}
      title="Friends"
      lead="Invite people you know, and see what it brings."
    >
      {note === "new-link" && (
        <Notice tone="good" isUrgent title="You have a new link">
          <p>The old one leads nowhere now. Who has joined through it stays invited.</p>
        </Notice>
      )}
      {note === "name" && <Notice tone="good" isUrgent title="Saved." />}
      {welcome && (
        <section aria-labelledby="welcome">
          <h2 id="welcome" className="display section-title">
            Your welcome bonus
          </h2>
          <ul className="bonus-list" role="list">
            <BonusItem
              title="For joining by an invitation"
              amountPence={welcome.amountPence}
              words={friendWords(welcome, { now, minCashback })}
              when={null}
            />
          </ul>
        </section>
      )}
      {programme && link ? (
        <OwnLink
          action={PATH}
          link={link}
          programme={programme}
          showsFirstName={showsFirstName}
          brandName={brand.name}
        />
      ) : (
        joined === 0 && (
          <EmptyState title="No bonus for inviting at the moment">
            <p>{brand.name} has no offer for people who invite friends now. When there is one, it is here.</p>
          </EmptyState>
        )
      )}
      {joined > 0 && (
        <InvitationList
          invitations={invitations}
          joined={joined}
          earnedPence={view.earnedPence}
          confirmedPence={view.confirmedPence}
          now={now}
        />
      )}
      {programme && joined === 0 && (
        <section aria-labelledby="invitations">
          <h2 id="invitations" className="display section-title">
            Who has joined
          </h2>
          <p>Nobody yet. When somebody joins through your link, you see here how far their bonus is.</p>
        </section>
      )}
      {!programme && joined > 0 && (
        <Notice tone="info" title="The offer has ended">
          <p>Who has joined keeps what was promised. Nobody else can be invited at the moment.</p>
        </Notice>
      )}
      {programme && <ProgrammeTermsSection programme={programme} />}
    </ProfileShell>
  );
}
