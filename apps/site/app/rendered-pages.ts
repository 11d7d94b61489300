import { wholeResponse } from "../server/whole-response.ts";

const pages = new WeakMap<Response, string>();

/** An answer for the router, which looks at its head only and would fill a stream with the page each time; withPage puts the page to it. */
export function keepRenderedPage(page: string, init: { status: number; headers: Headers }): Response {
  const head = new Response(null, init);
  pages.set(head, page);
  return head;
}

/** The router's answer together with the page that was rendered for it; any other answer as it is. */
export function withPage(answer: Response): Response {
  const page = pages.get(answer);
  return page === undefined ? answer : wholeResponse(page, { status: answer.status, headers: answer.headers });
}
