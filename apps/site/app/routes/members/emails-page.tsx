import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { listEmails, makeMainEmail, removeEmail, startAddingEmail } from "@farthing/core/members/emails.server.ts";
import { countMailFrom, isTooMuchMail } from "@farthing/core/sign-in/mail-counts.server.ts";
import { MAX_EMAILS } from "@farthing/core/members/max-emails.ts";
import { emailSchema } from "@farthing/core/sign-in/schema.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { slowDown } from "../../slow-down.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/emails-page";
import AddEmailForm from "./add-email-form.island.tsx";
import { ProfileShell } from "./profile-shell.tsx";
import { provedMemberOf } from "../sign-in/security-guard.ts";

const PATH = href("/profile/security/emails");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = provedMemberOf(context, PATH, "open");
  const { db } = context.get(servicesContext);
  const emails = await listEmails(db, { brandId: context.get(visitContext).brand.id, memberId: member.id });
  return { emails, isNotSaved: readParameters(request, "/profile/security/emails").note !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = provedMemberOf(context, PATH, "change");
  const { db, accounts, now, registrationSecret: secret } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const own = { brandId: visit.brand.id, memberId: member.id, sessionId: member.sessionId, now: now() };
  const form = await request.formData();
  const intent = field(form, "intent");
  if (intent === "make-main" || intent === "remove") {
    const change = intent === "remove" ? removeEmail : makeMainEmail;
    const isDone = await change(db, { ...own, emailId: field(form, "address") });
    if (!isDone) throw data(null, 404);
    throw redirect(PATH, { status: 303, headers: await accounts.rotateSession(visit, request) });
  }
  if (intent !== "add") throw data(null, 400);
  const email = emailSchema.safeParse(field(form, "email", 400));
  const refused = (message: string) => ({
    errors: { email: message },
    typed: field(form, "email", 254),
    sentTo: null,
  });
  if (!email.success) {
    const isMissing = field(form, "email").trim() === "";
    return data(refused(isMissing ? REQUIRED_MESSAGE : "Enter an e-mail address, like name@example.org."), 400);
  }
  // The address may be anybody's. A member must not use us to fill a stranger's mailbox, nor learn that it has
  // received enough.
  const { brandId } = own;
  const wait = await countMailFrom(db, { from: member.id, secret });
  if (wait > 0) {
    const refusal = refused("That was a lot of addresses. Please wait a quarter of an hour, then try again.");
    return slowDown(context, refusal, wait);
  }
  if (await isTooMuchMail(db, { brandId, kind: "add-email", email: email.data, secret }))
    return { errors: {}, typed: "", sentTo: email.data };
  const isStarted = await startAddingEmail(db, { ...own, email: email.data });
  if (!isStarted) return data(refused(`You can have ${MAX_EMAILS} addresses. Remove one first.`), 400);
  return { errors: {}, typed: "", sentTo: email.data };
}

export default function EmailsPage({ loaderData: { emails, isNotSaved }, actionData }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="security"
      parent={{ href: "/profile/security", label: "Sign-in and security" }}
      title="E-mail addresses"
      lead="Each of them opens your account and can be used when you forget the password. We write to the main one."
      isNotSaved={isNotSaved && !actionData}
    >
      {actionData?.sentTo && (
        <Notice tone="good" isUrgent title="One more step">
          <p className="breaks">
            We have sent a link to {actionData.sentTo}. The address counts once you have confirmed it.
          </p>
        </Notice>
      )}
      <ul className="security-list" role="list">
        {emails.map(({ id, email, isMain, isVerified }) => (
          <li key={id}>
            <p className="breaks">
              <b>{email}</b> {isMain && <span className="tag is-good">Main</span>}
              {!isVerified && <span className="tag is-warn">Not confirmed</span>}
            </p>
            {!isMain && (
              <form method="post" action={PATH} className="security-list-actions">
                <input type="hidden" name="address" value={id} />
                {isVerified && (
                  <button type="submit" className="link-button" name="intent" value="make-main">
                    Make main<span className="visually-hidden"> {email}</span>
                  </button>
                )}
                <button type="submit" className="link-button" name="intent" value="remove">
                  Remove<span className="visually-hidden"> {email}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {emails.length < MAX_EMAILS && (
        <>
          {actionData?.sentTo ? (
            <span hidden data-form-arrived="add-email" />
          ) : (
            <HalfFilled name="add-email" form="add-email" start="Start again" />
          )}
          <AddEmailForm action={PATH} typed={actionData?.typed} errors={actionData?.errors} />
        </>
      )}
    </ProfileShell>
  );
}
