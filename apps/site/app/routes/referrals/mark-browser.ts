import { markOfBrowser } from "@farthing/core/invitations/marks.server.ts";
import { newSecretToken } from "@farthing/core/secrets/secret-token.ts";
import type { RouterContextProvider } from "react-router";
import { answerHeadersContext, servicesContext, visitContext } from "../../site-context.ts";
import { browserCookie, browserMarkOf } from "./invitation-cookies.ts";

/** Returns the keyed hash of this browser's mark, and marks a browser that has none. */
export function markBrowser(context: Readonly<RouterContextProvider>, request: Request): Buffer {
  const { origin } = context.get(visitContext);
  const known = browserMarkOf(request, origin);
  const mark = known ?? newSecretToken(128);
  if (known === null) context.get(answerHeadersContext).append("Set-Cookie", browserCookie(mark, origin));
  return markOfBrowser(mark, context.get(servicesContext).registrationSecret);
}
