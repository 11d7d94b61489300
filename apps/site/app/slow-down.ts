import { data, type RouterContextProvider } from "react-router";
import { answerHeadersContext } from "./site-context.ts";

/** Returns `body` with status 429, and tells programs in Retry-After to wait for `seconds`. */
export function slowDown<Body>(context: Readonly<RouterContextProvider>, body: Body, seconds: number) {
  context.get(answerHeadersContext).set("Retry-After", String(seconds));
  return data(body, { status: 429 });
}
