import { unsubscribe } from "@farthing/core/mail-choices/operations.server.ts";
import { subjectWords } from "@farthing/core/mail-choices/rules.ts";
import { readUnsubscription } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { data, href, type RouterContextProvider } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/unsubscribe-page";

/** The page that mails link to. It asks first, because mail scanners open links. It works without a login. */
export function loader({ context, request }: Route.LoaderArgs) {
  const { token, unsubscription } = asked(context, request);
  return data({ token, subject: unsubscription?.subject ?? null }, unsubscription ? 200 : 404);
}

/** Receives the page's button, and posts of mail programs (RFC 8058). Everything that counts is in the address. */
export async function action({ context, request }: Route.ActionArgs) {
  const { unsubscription } = asked(context, request);
  const { db, now } = context.get(servicesContext);
  if (!unsubscription) return data({ isDone: false }, 404);
  await unsubscribe(db, { unsubscription, now: now() });
  return { isDone: true };
}

function asked(context: Readonly<RouterContextProvider>, request: Request) {
  const token = readParameters(request, "/unsubscribe").token ?? "";
  const { unsubscribeKeys } = context.get(servicesContext);
  return { token, unsubscription: readUnsubscription(token, context.get(visitContext).brand.id, unsubscribeKeys) };
}

export default function UnsubscribePage({ loaderData: { token, subject }, actionData }: Route.ComponentProps) {
  const isDone = actionData?.isDone === true;
  const title =
    subject === null ? "This link is not whole" : isDone ? "Stopped" : `Stop e-mails about ${subjectWords[subject]}?`;
  return (
    <div className="wrap page unsubscribe">
      <PageHead title={title} isPrivate />
      <h1 className="display page-title">{title}</h1>
      {subject === null ? (
        <p>Part of it may be missing. Open the e-mail again and press its link, or choose in your account.</p>
      ) : isDone ? (
        <p role="status">We don’t write to you about {subjectWords[subject]} any more.</p>
      ) : (
        <form method="post" action={pagePath(href("/unsubscribe"), { token })}>
          <p>One press, and it is done. You don’t have to log in.</p>
          <button type="submit" className="button is-large">
            Stop these e-mails
          </button>
        </form>
      )}
      <p>
        <a href="/profile/notifications">Choose which e-mails you get</a>
      </p>
    </div>
  );
}
