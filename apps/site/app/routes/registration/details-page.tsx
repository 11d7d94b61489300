import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { completeRegistration } from "@farthing/core/registration/complete-registration.server.ts";
import { findDraft, keepAnswers, type Draft } from "@farthing/core/registration/drafts.server.ts";
import { evenTime } from "@farthing/core/registration/even-time.ts";
import { readDetails, readType, typedIn } from "@farthing/core/registration/read-registration.ts";
import { consentWording, EVEN_ANSWER_MS } from "@farthing/core/registration/rules.ts";
import { countRegistration } from "@farthing/core/registration/tries.server.ts";
import { data, href, redirect, type RouterContextProvider } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { AdditionalFields } from "../../ui/forms/additional-fields.tsx";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/details-page";
import DetailsForm from "./details-form.island.tsx";
import { additionalFieldsView, detailsView, typedAnswers } from "./details-view.server.ts";
import { draftTokenOf, joiningCookie } from "./draft-cookie.ts";
import { RegistrationFrame } from "./registration-frame.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const draft = await draftOf(context, request);
  const types = await findMemberTypes(db, brand.id);
  const type = types.find(({ id }) => id === draft.memberTypeId);
  if (!type) throw redirect(href("/register"));
  const status = type.statuses.find(({ id }) => id === draft.memberStatusId);
  const questions = await findTypeQuestions(db, type);
  const state = { types, type, status, questions, values: draft.answers, errors: {} };
  const consents = {
    terms: consentWording("terms", brand.name),
    offers: consentWording("offers-by-email", brand.name),
  };
  return {
    view: detailsView(state, brand, now()),
    additional: additionalFieldsView(state),
    consents,
    minimumAge: brand.registration.minimumAge,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, now, registrationSecret: secret } = context.get(servicesContext);
  const { brand, clientAddress = "unknown" } = context.get(visitContext);
  const draft = await draftOf(context, request);
  const types = await findMemberTypes(db, brand.id);
  const form = await request.formData();
  const typed = typedIn(form);
  const typeErrors: Record<string, string> = {};
  const chosen = readType(typed, types, typeErrors);
  const type = chosen.type ?? types.find(({ id }) => id === draft.memberTypeId);
  if (!type) throw redirect(href("/register"), 303);
  const questions = await findTypeQuestions(db, type);
  const values = typedAnswers(typed, questions);
  const { status } = chosen;
  if (status)
    await keepAnswers(db, { draftId: draft.id, memberTypeId: type.id, memberStatusId: status.id, answers: values });

  const shown = (errors: Record<string, string>) => {
    const state = { types, type, status, questions, values, errors };
    return { view: detailsView(state, brand, now()), additional: additionalFieldsView(state) };
  };
  const answer = (code: number, errors: Record<string, string>) => data({ ...shown(errors), isTooMany: false }, code);
  // The button comes first in the form, so Enter in a field presses it too. It counts only where the choice
  // has changed.
  const isAnotherChoice = type.id !== draft.memberTypeId || status?.id !== draft.memberStatusId;
  const intent = typed("intent");
  if (intent === "questions" || (intent === "show" && isAnotherChoice)) return answer(200, {});

  // Without a status the questions about the organisation are asked too: one question too many is better than a member
  // without the answers.
  const asked = status ?? { id: "", slug: "", name: "", hidesOrganisationDetails: false };
  const read = readDetails(form, { brand, status: asked, questions, now: now() });
  if (!status || !chosen.type || read.errors) return answer(400, { ...typeErrors, ...read.errors });
  const wait = await countRegistration(db, { what: "accounts", brandId: brand.id, of: clientAddress, secret });
  if (wait > 0) return slowDown(context, { ...shown({}), isTooMany: true }, wait);
  const details = read.value;
  await evenTime(EVEN_ANSWER_MS, () =>
    completeRegistration(db, { brand, draft, type, status, details, now: now(), secret }),
  );
  const { origin } = context.get(visitContext);
  const headers = { "Set-Cookie": joiningCookie(draftTokenOf(request, origin) ?? "", origin) };
  throw redirect(href("/register/sent"), { status: 303, headers });
}

/**
 * Returns the draft of this browser. Visitors without one start again; those who have finished are told to check
 * their mail.
 */
async function draftOf(context: Readonly<RouterContextProvider>, request: Request): Promise<Draft> {
  const { brand, origin } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const token = draftTokenOf(request, origin);
  const draft = token === null ? null : await findDraft(db, { brandId: brand.id, token, now: now() });
  if (!draft) throw redirect(token === null ? href("/register") : `${href("/register")}?over`, 303);
  if (draft.isCompleted) throw redirect(href("/register/sent"), 303);
  return draft;
}

export default function DetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, additional } = actionData ?? loaderData;
  return (
    <RegistrationFrame step={2} title="About you">
      <PageHead title="Join, step 2 of 2" isPrivate />
      <HalfFilled name="registration-details" form="registration-details" isSilent />
      <DetailsForm
        view={view}
        minimumAge={loaderData.minimumAge}
        consents={loaderData.consents}
        isTooMany={actionData?.isTooMany ?? false}
      >
        <AdditionalFields {...additional} />
      </DetailsForm>
    </RegistrationFrame>
  );
}
