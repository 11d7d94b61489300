import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { Route } from "./+types/send-attachment";
import { takeProof } from "./take-proof.ts";

/** The address is for posts. People who open it are shown the page. */
export function loader() {
  throw redirect(href("/verification"));
}

/**
 * Receives the file from the form's script, which shows progress and errors in place. Without script the form posts to
 * its page.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { brand, member } = context.get(visitContext);
  if (!member)
    return answer(401, { title: "You are logged out", advice: "Open this page again, log in, and send the file." });
  const taken = await takeProof(context.get(servicesContext), { brand, member }, request);
  if (taken.outcome === "submitted")
    return answer(200, { next: pagePath(href("/verification"), { sent: "document" }) });
  const { title, advice, status } = taken.problem;
  return answer(status, { title, advice });
}

/** What the script is told: where to go next, or what was wrong. */
export type SentAttachment = { next: string } | { title: string; advice: string };

function answer(status: number, body: SentAttachment): Response {
  return Response.json(body, { status });
}
