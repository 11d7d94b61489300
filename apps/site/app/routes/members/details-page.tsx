import { changeDetails, detailsAsTyped, findOwnDetails } from "@farthing/core/registration/own-details.server.ts";
import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { readDetails, readType, typedIn } from "@farthing/core/registration/read-registration.ts";
import { data, href, redirect, type RouterContextProvider } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { AdditionalFields } from "../../ui/forms/additional-fields.tsx";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { additionalFieldsView, detailsView, typedAnswers } from "../registration/details-view.server.ts";
import type { Route } from "./+types/details-page";
import OwnDetailsForm from "./own-details-form.island.tsx";
import { ProfileShell } from "./profile-shell.tsx";

const PATH = href("/profile/details");

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const { own, types, member } = await ownDetails(context);
  const type = types.find(({ id }) => id === own.typeId) ?? types[0];
  if (!type) throw data(null, 404);
  const status = type.statuses.find(({ id }) => id === own.statusId);
  const questions = await findTypeQuestions(db, type);
  const state = { types, type, status, questions, values: detailsAsTyped(own), errors: {} };
  return {
    view: detailsView(state, brand, now()),
    additional: additionalFieldsView(state),
    memberNumber: own.memberNumber,
    bornOn: own.dateOfBirth === null ? null : longDate(new Date(`${own.dateOfBirth}T12:00:00Z`)),
    supportEmail: brand.supportEmail,
    isVerified: member.verification === "verified",
    saved: readParameters(request, "/profile/details").saved,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const { own, types, member } = await ownDetails(context);
  const form = await request.formData();
  const typed = typedIn(form);
  const typeErrors: Record<string, string> = {};
  const chosen = readType(typed, types, typeErrors);
  const type = chosen.type ?? types.find(({ id }) => id === own.typeId) ?? types[0];
  if (!type) throw data(null, 404);
  const questions = await findTypeQuestions(db, type);
  const values = typedAnswers(typed, questions);
  const { status } = chosen;
  const answer = (code: number, errors: Record<string, string>) => {
    const state = { types, type, status, questions, values, errors };
    return data({ view: detailsView(state, brand, now()), additional: additionalFieldsView(state) }, code);
  };
  // The button comes first in the form, so Enter in a field presses it too. It counts only where the choice
  // has changed.
  const isAnotherChoice = type.id !== own.typeId || status?.id !== own.statusId;
  const intent = typed("intent");
  if (intent === "questions" || (intent === "show" && isAnotherChoice)) return answer(200, {});
  const asked = status ?? { id: "", slug: "", name: "", hidesOrganisationDetails: false };
  const read = readDetails(form, {
    brand,
    status: asked,
    questions,
    now: now(),
    member: { dateOfBirth: own.dateOfBirth },
  });
  if (!status || !chosen.type || read.errors) return answer(400, { ...typeErrors, ...read.errors });
  const changed = await changeDetails(db, {
    brandId: brand.id,
    memberId: member.id,
    types,
    type,
    status,
    details: read.value,
    now: now(),
  });
  const saved = changed?.renewalUntil ? "proof" : changed && changed.changed.length > 0 ? "yes" : "same";
  throw redirect(`${PATH}?saved=${saved}`, 303);
}

async function ownDetails(context: Readonly<RouterContextProvider>) {
  const member = context.get(memberContext);
  const { db } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const [own, types] = await Promise.all([
    findOwnDetails(db, { brandId: brand.id, memberId: member.id }),
    findMemberTypes(db, brand.id),
  ]);
  if (!own) throw data(null, 404);
  return { own, types, member };
}

export default function DetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { memberNumber, bornOn, supportEmail, isVerified, saved } = loaderData;
  const { view, additional } = actionData ?? loaderData;
  return (
    <ProfileShell
      current="details"
      title="Your details"
      lead={
        <>
          Member number <b className="figures">{memberNumber}</b>
        </>
      }
    >
      {saved === "proof" && (
        <Notice tone="warn" isUrgent title="Saved. Please show again that you belong">
          <p>
            What your membership rests on has changed. Your card stays good for a month, or until we have looked at your
            new proof. <a href="/verification">Send proof</a>
          </p>
        </Notice>
      )}
      {saved === "yes" && <Notice tone="good" isUrgent title="Saved." />}
      {saved ? <span hidden data-form-arrived="own-details" /> : <HalfFilled name="own-details" form="own-details" />}
      {saved === "same" && <Notice tone="info" isUrgent title="Nothing was different, so nothing was changed." />}
      <OwnDetailsForm action={PATH} view={view} bornOn={bornOn} supportEmail={supportEmail} isVerified={isVerified}>
        <AdditionalFields {...additional} />
      </OwnDetailsForm>
    </ProfileShell>
  );
}
