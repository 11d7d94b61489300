import { data } from "react-router";
import { pageHandle } from "../../page-handle.ts";

export const handle = pageHandle("errors", "show");

/** Every address that is no page of ours, whatever the method. */
function notFound(): never {
  throw data(null, { status: 404 });
}

export const loader = notFound;
export const action = notFound;

export default function NotFoundPage() {
  return null;
}
