import { data, type LoaderFunctionArgs } from "react-router";
import { visitContext } from "../../site-context.ts";

/** Every address that is no page of ours, whatever the method; and what the server refuses before a page is chosen. */
function notFound({ context }: Pick<LoaderFunctionArgs, "context">): never {
  const { refusal } = context.get(visitContext);
  throw data(refusal ?? null, refusal?.status ?? 404);
}

export const loader = notFound;
export const action = notFound;

export default function NotFoundPage() {
  return null;
}
