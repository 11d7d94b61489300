import { refused } from "../../guard.server.ts";

/** Nothing is at this address. */
export function loader(): never {
  throw refused(404, { title: "Not found", text: "There is nothing at this address." });
}

export const action = loader;

export default function NotFoundPage() {
  return null;
}
