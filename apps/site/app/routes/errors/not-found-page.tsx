import { data, type LoaderFunctionArgs } from "react-router";
import { visitContext } from "../../site-context.ts";

/**
 * Answers every address that is not a page, with any method, and everything that the server refuses before a page
 * is chosen.
 */
function notFound({ context }: Pick<LoaderFunctionArgs, "context">): never {
  const { refusal } = context.get(visitContext);
  throw data(refusal ?? null, refusal?.status ?? 404);
}

export const loader = notFound;
export const action = notFound;

export default function NotFoundPage() {
  return null;
}
