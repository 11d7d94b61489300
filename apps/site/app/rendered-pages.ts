import { wholeResponse } from "../server/whole-response.ts";

/**
 * The head of an answer, with the page beside it. The router reads only the head, and would create a stream of the page
 * each time it does.
 */
class RenderedPage extends Response {
  readonly page: string;

  constructor(page: string, init: ResponseInit) {
    super(null, init);
    this.page = page;
  }
}

/** Returns the renderer's answer for the router. withPage puts head and page together again. */
export function keepRenderedPage(page: string, init: { status: number; headers: Headers }): Response {
  return new RenderedPage(page, init);
}

/** Returns the router's answer together with the page that was rendered for it, or any other answer unchanged. */
export function withPage(answer: Response): Response {
  if (!(answer instanceof RenderedPage)) return answer;
  return wholeResponse(answer.page, { status: answer.status, headers: answer.headers });
}
