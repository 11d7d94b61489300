import { wholeResponse } from "../server/whole-response.ts";

/** The head of an answer, with the page beside it: the router looks at the head only, and would fill a stream with the page each time it does. */
class RenderedPage extends Response {
  readonly page: string;

  constructor(page: string, init: ResponseInit) {
    super(null, init);
    this.page = page;
  }
}

/** What the renderer gives the router; withPage puts the two together again. */
export function keepRenderedPage(page: string, init: { status: number; headers: Headers }): Response {
  return new RenderedPage(page, init);
}

/** The router's answer together with the page that was rendered for it; any other answer as it is. */
export function withPage(answer: Response): Response {
  if (!(answer instanceof RenderedPage)) return answer;
  return wholeResponse(answer.page, { status: answer.status, headers: answer.headers });
}
