import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { findDraft, keepAnswers } from "@farthing/core/registration/drafts.server.ts";
import { readType, typedIn } from "@farthing/core/registration/read-registration.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/keep-draft";
import { typedAnswers } from "./details-view.server.ts";
import { draftTokenOf } from "./draft-cookie.ts";

/** POST /register/draft, from use-kept-answers.ts. The answer is empty, whether there is a draft or not. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand, origin } = context.get(visitContext);
  const nothing = () => new Response(null, { status: 204 });
  const token = draftTokenOf(request, origin);
  const draft = token === null ? null : await findDraft(db, { brandId: brand.id, token, now: now() });
  if (!draft || draft.isCompleted) return nothing();
  const typed = typedIn(await request.formData());
  const { type, status } = readType(typed, await findMemberTypes(db, brand.id), {});
  if (!type || !status) return nothing();
  const answers = typedAnswers(typed, await findTypeQuestions(db, type));
  await keepAnswers(db, { draftId: draft.id, memberTypeId: type.id, memberStatusId: status.id, answers });
  return nothing();
}

/** The address is for posts only. */
export function loader() {
  return new Response(null, { status: 404 });
}
