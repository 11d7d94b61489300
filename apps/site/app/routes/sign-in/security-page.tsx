import { listEmails } from "@farthing/core/members/emails.server.ts";
import { listPasskeys } from "@farthing/core/sign-in/passkeys.server.ts";
import { findSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import { endSessionById, listSessions, signOut } from "@farthing/core/sign-in/session-list.server.ts";
import type { ReactNode } from "react";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { field } from "./form-field.ts";
import type { Route } from "./+types/security-page";
import { ProfileShell } from "../members/profile-shell.tsx";
import { SessionList } from "./session-list.tsx";

const PATH = href("/profile/security");
const notes = {
  password: "Your password is changed. Everywhere else you were signed in, you are signed out.",
  "signed-out": "Signed out there.",
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id };
  const [emails, factor, passkeys, sessions] = await Promise.all([
    listEmails(db, own),
    findSecondFactor(db, own),
    listPasskeys(db, own),
    listSessions(db, { ...own, now: now() }),
  ]);
  const note = readParameters(request, "/profile/security").note ?? "";
  return {
    emails: emails.filter(({ isVerified }) => isVerified).map(({ email }) => email),
    factor,
    passkeys: passkeys.length,
    sessions: sessions.map((session) => ({ ...session, isThis: session.id === member.sessionId })),
    note: Object.hasOwn(notes, note) ? notes[note as keyof typeof notes] : null,
    now: now(),
  };
}

/**
 * Signs out one browser, all others, or everywhere. Nothing here needs the password, because it only takes access away.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const visit = context.get(visitContext);
  const { db, accounts, now } = context.get(servicesContext);
  const own = { brandId: visit.brand.id, memberId: member.id };
  const form = await request.formData();
  switch (field(form, "intent")) {
    case "end-session": {
      const isEnded = await endSessionById(db, { ...own, sessionId: field(form, "session") });
      if (!isEnded) throw data(null, 404);
      throw redirect(pagePath(PATH, { note: "signed-out" }), 303);
    }
    case "end-others": {
      await signOut(db, { ...own, exceptSessionId: member.sessionId, now: now() });
      const headers = await accounts.rotateSession(visit, request);
      throw redirect(pagePath(PATH, { note: "signed-out" }), { status: 303, headers });
    }
    case "end-all": {
      await signOut(db, { ...own, now: now() });
      const headers = await accounts.logOut(visit, request);
      throw redirect(pagePath(href("/login"), { note: "signed-out" }), { status: 303, headers });
    }
    default:
      throw data(null, 400);
  }
}

export default function SecurityPage({ loaderData }: Route.ComponentProps) {
  const { emails, factor, passkeys, sessions, note, now } = loaderData;
  return (
    <ProfileShell
      current="security"
      title="Sign-in and security"
      lead="How your account is opened, and where it is open."
    >
      {note && <Notice tone="good" title={note} isUrgent />}
      <div className="security-cards">
        <SecurityCard title="Password" action={{ href: `${PATH}/password`, label: "Change the password" }}>
          <p>At least 8 characters. A password manager makes and keeps good ones.</p>
        </SecurityCard>
        <SecurityCard title="E-mail addresses" action={{ href: `${PATH}/emails`, label: "Manage addresses" }}>
          <p className="breaks">{emails.join(", ")}</p>
          {emails.length === 1 && (
            <p className="soft">Add a second one, so that you still get in when you lose an address from work.</p>
          )}
        </SecurityCard>
        <SecurityCard
          title="Two-step sign-in"
          state={factor.isOn ? "On" : "Off"}
          action={{ href: `${PATH}/two-step`, label: factor.isOn ? "Manage two-step sign-in" : "Turn on" }}
        >
          {factor.isOn ? (
            <p>
              {factor.recoveryCodesLeft} {factor.recoveryCodesLeft === 1 ? "recovery code is" : "recovery codes are"}{" "}
              left.
            </p>
          ) : (
            <p>A code from an app on your phone, as well as the password.</p>
          )}
        </SecurityCard>
        <SecurityCard
          title="Passkeys"
          state={passkeys === 0 ? "None" : String(passkeys)}
          action={{ href: `${PATH}/passkeys`, label: passkeys === 0 ? "Add a passkey" : "Manage passkeys" }}
        >
          <p>Open your account with a fingerprint, your face or your device’s code. Nothing to remember or to steal.</p>
        </SecurityCard>
      </div>
      <section aria-labelledby="sessions">
        <h2 id="sessions" className="display section-title">
          Where you are signed in
        </h2>
        <SessionList sessions={sessions} action={PATH} now={now} />
        <div className="button-row">
          {sessions.length > 1 && (
            <form method="post" action={PATH}>
              <button type="submit" className="button is-quiet" name="intent" value="end-others">
                Sign out everywhere else
              </button>
            </form>
          )}
          <form method="post" action={PATH}>
            <button type="submit" className="button is-quiet" name="intent" value="end-all">
              Sign out everywhere
            </button>
          </form>
        </div>
      </section>
    </ProfileShell>
  );
}

function SecurityCard({
  title,
  state,
  action,
  children,
}: {
  title: string;
  state?: string;
  action: { href: string; label: string };
  children: ReactNode;
}) {
  return (
    <section className="security-card">
      <h2>
        {title} {state && <span className="tag">{state}</span>}
      </h2>
      {children}
      <p className="security-card-action">
        <a href={action.href}>{action.label}</a>
      </p>
    </section>
  );
}
