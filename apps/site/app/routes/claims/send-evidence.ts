import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { SentAttachment } from "../verification-requests/send-attachment.ts";
import type { Route } from "./+types/send-evidence";
import { takeEvidence } from "./take-evidence.ts";

/** The address is for posts. People who open it are shown the page. */
export function loader({ params }: Route.LoaderArgs) {
  throw redirect(href("/money/claims/:claim/evidence", { claim: params.claim }));
}

/** Receives a file from the form's script, which shows progress and errors in place. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { brand, member } = context.get(visitContext);
  if (!member)
    return answer(401, { title: "You are logged out", advice: "Open this page again, log in, and send the file." });
  const of = { brand, member, publicId: params.claim };
  const taken = await takeEvidence(context.get(servicesContext), of, request);
  if (taken.outcome === "added")
    return answer(200, { next: `${href("/money/claims/:claim", { claim: params.claim })}?note=evidence` });
  if (taken.outcome === "unknown")
    return answer(404, { title: "There is no such claim", advice: "Go back to your claims." });
  const { title, advice, status } = taken.problem;
  return answer(status, { title, advice });
}

function answer(status: number, body: SentAttachment): Response {
  return Response.json(body, { status });
}
