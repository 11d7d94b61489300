import { findOpenClosure } from "@farthing/core/closures/queries.server.ts";
import { findLastExport } from "@farthing/core/personal-data/queries.server.ts";
import { EXPORTS_PER_DAY } from "@farthing/core/personal-data/rules.ts";
import { href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { clockTime, dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import type { Route } from "./+types/privacy-page";
import { ProfileShell } from "../members/profile-shell.tsx";

const PATH = href("/profile/privacy");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id };
  const [closure, lastExport] = await Promise.all([
    findOpenClosure(db, { memberId: member.id }),
    findLastExport(db, own),
  ]);
  return {
    closing: closure && { until: closure.cancellableUntil },
    lastExport,
    note: readParameters(request, "/profile/privacy").note,
    now: now(),
  };
}

export default function PrivacyPage({ loaderData: { closing, lastExport, note, now } }: Route.ComponentProps) {
  return (
    <ProfileShell current="privacy" title="Privacy" lead="Your data is yours: take a copy of it, or take it away.">
      {note === "stays" && (
        <Notice tone="good" isUrgent title="You are staying. Good.">
          <p>Your account is as it was. We have deleted the bank details you gave us.</p>
        </Notice>
      )}
      {note === "ready" && (
        <Notice tone="good" isUrgent title="Thank you. Now press the button below.">
          <p>We had to be sure that it is you.</p>
        </Notice>
      )}
      {note === "too-many" && (
        <Notice tone="warn" isUrgent title="That was the last one for today">
          <p>You can have {EXPORTS_PER_DAY} copies made in a day. Please come back tomorrow.</p>
        </Notice>
      )}
      <div className="privacy-cards">
        <section className="security-card" aria-labelledby="export">
          <h2 id="export">A copy of everything</h2>
          <p>
            One archive (zip) with your details, sign-ins, consents, the links you followed, purchases, cashback,
            favourites, proof of membership and the e-mails we sent you: as tables, for programs, and with a page that
            explains it.
          </p>
          <p className="soft">
            We ask for your password first if you logged in a while ago.
            {lastExport && ` The last one was made ${dayAndMonth(lastExport, now)} at ${clockTime(lastExport)}.`}
          </p>
          <form method="post" action={`${PATH}/export`} className="security-card-action">
            <button type="submit" className="button">
              Download my data
            </button>
          </form>
        </section>
        <section className="security-card" aria-labelledby="notice">
          <h2 id="notice">What we keep, and why</h2>
          <p>In plain words, with how long, who else sees it, and what you can ask of us.</p>
          <p className="security-card-action">
            <a href="/legal/privacy">Read the privacy notice</a>
          </p>
        </section>
        <section className="security-card" aria-labelledby="mails">
          <h2 id="mails">E-mails</h2>
          <p>Which ones you get is up to you.</p>
          <p className="security-card-action">
            <a href="/profile/notifications">Choose your e-mails</a>
          </p>
        </section>
        <section className="security-card" aria-labelledby="access">
          <h2 id="access">Who of us looked at your account</h2>
          <p>Only with your yes, for half an hour, and each time is written down.</p>
          <p className="security-card-action">
            <a href="/profile/access">See who asked and who looked</a>
          </p>
        </section>
        <section className="security-card" aria-labelledby="close">
          <h2 id="close">Close the account {closing && <span className="tag is-warn">Asked for</span>}</h2>
          {closing ? (
            <p>
              We are closing it. You can change your mind until {longDate(closing.until)}, and longer while money is
              waited for.
            </p>
          ) : (
            <p>What is yours is paid out first. You can change your mind for a week.</p>
          )}
          <p className="security-card-action">
            <a href={`${PATH}/close`}>{closing ? "See how it stands" : "Close my account"}</a>
          </p>
        </section>
      </div>
    </ProfileShell>
  );
}
