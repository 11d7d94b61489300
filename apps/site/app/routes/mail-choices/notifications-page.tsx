import { listAlerts } from "@farthing/core/alerts/queries.server.ts";
import { alwaysSentWords } from "@farthing/core/mail-choices/always-sent.ts";
import { findMailChoices } from "@farthing/core/mail-choices/member-choices.server.ts";
import { chooseMails } from "@farthing/core/mail-choices/operations.server.ts";
import { MAIL_CHOICE_KINDS, mailChoiceWords } from "@farthing/core/mail-choices/rules.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import type { Route } from "./+types/notifications-page";
import { ProfileShell } from "../members/profile-shell.tsx";

const PATH = href("/profile/notifications");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id };
  const [choices, alerts] = await Promise.all([findMailChoices(db, own), listAlerts(db, own)]);
  return {
    choices,
    alerts: alerts.length,
    email: member.email,
    isSaved: readParameters(request, "/profile/notifications").saved,
    now: now(),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const form = await request.formData();
  const wanted = Object.fromEntries(MAIL_CHOICE_KINDS.map((kind) => [kind, form.has(kind)]));
  await chooseMails(db, { brand, memberId: member.id, wanted, way: "page", now: now() });
  throw redirect(`${PATH}?saved`, 303);
}

export default function NotificationsPage({ loaderData }: Route.ComponentProps) {
  const { choices, alerts, email, isSaved, now } = loaderData;
  const rows = choices.map((choice) => ({ ...choice, ...mailChoiceWords[choice.kind] }));
  const field = ({ kind, label, help, isWanted, chosenAt }: (typeof rows)[number]) => (
    <CheckboxField
      key={kind}
      name={kind}
      label={label}
      defaultChecked={isWanted}
      help={
        <>
          {help}
          {kind === "rate-alerts" && (
            <>
              {" "}
              <a href="/favourites#alerts">
                {alerts === 0 ? "You watch none yet" : alerts === 1 ? "You watch 1" : `You watch ${alerts}`}
              </a>
              .
            </>
          )}
          {chosenAt && (
            <>
              {" "}
              Turned {isWanted ? "on" : "off"} {dayAndMonth(chosenAt, now)}.
            </>
          )}
        </>
      }
    />
  );
  return (
    <ProfileShell current="notifications" title="Notifications" lead={`What we write to ${email} about.`}>
      {isSaved && <Notice tone="good" isUrgent title="Saved." />}
      <form method="post" action={PATH} className="mail-choices">
        <fieldset>
          <legend className="display section-title">Your money</legend>
          {rows.filter(({ kind }) => kind.startsWith("cashback")).map(field)}
        </fieldset>
        <fieldset>
          <legend className="display section-title">Offers</legend>
          {rows.filter(({ kind }) => !kind.startsWith("cashback")).map(field)}
        </fieldset>
        <section aria-labelledby="always">
          <h2 id="always" className="display section-title">
            Always sent
          </h2>
          <p>What you have to know of your account and your money: {alwaysSentWords()}. Never advertising.</p>
        </section>
        <p>
          <LoadingButton>Save choices</LoadingButton>
        </p>
      </form>
    </ProfileShell>
  );
}
