import { recordConsent } from "@farthing/core/consent/operations.server.ts";
import { CONSENT_VERSION, purposesInForm, purposeWords } from "@farthing/core/consent/rules.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { randomBytes } from "node:crypto";
import { data, href, redirect, useRouteLoaderData } from "react-router";
import {
  consentOf,
  endAll,
  endForeignCookies,
  endVisit,
  keepConsent,
  startVisit,
} from "../../../server/browsers-consent.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { answerHeadersContext, servicesContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { longDate } from "../../ui/text/british-dates.ts";
import type { Route } from "./+types/cookies-page";

const PATH = "/cookies";
const SAVED = `${PATH}?saved`;

/**
 * Shows what may be chosen. Where the browser sends Global Privacy Control nobody can press a button, so the visit itself deletes what an earlier yes has
 * left in cookies. The page is private (pages.ts): no cache keeps it or its Set-Cookie.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, origin } = context.get(visitContext);
  const { now } = context.get(servicesContext);
  const { asked, granted, choice, hasSignal } = consentOf({ brand, headers: request.headers, origin, now: now() });
  const hadTags = choice?.purposes.includes("tags") ?? false;
  if (hasSignal)
    for (const cookie of endAll(request.headers.get("cookie"), origin, hadTags))
      context.get(answerHeadersContext).append("Set-Cookie", cookie);
  return {
    purposes: asked.map((purpose) => ({ purpose, ...purposeWords[purpose], isGranted: granted.includes(purpose) })),
    chosenAt: choice?.chosenAt ?? null,
    hasSignal,
    isSaved: readParameters(request, "/cookies").saved,
  };
}

/**
 * Keeps a choice (T6) in the browser's cookie and, for a member, in the record of their choices. `choice` is `all`, `none` or `some` with a field for each
 * purpose; `next` is where a form leads. A script, which asks for JSON, is answered 204. What is not agreed to is deleted, whatever was agreed to before: the
 * number of the visit, and the cookies of tags, which may be left from a yes that has expired. Where the browser sends Global Privacy Control, everything is refused.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { brand, member, origin } = context.get(visitContext);
  const { db, now: clock } = context.get(servicesContext);
  const { headers } = request;
  const now = clock();
  const { asked, granted, hasSignal } = consentOf({ brand, headers, origin, now });
  const form = await request.formData();
  const stated = purposesInForm(form, asked);
  if (stated === null) throw new Response(null, { status: 400 });
  const purposes = hasSignal ? [] : stated;
  const choice = { version: CONSENT_VERSION, chosenAt: now, purposes };
  if (member) await recordConsent(db, { ...choice, brandId: brand.id, memberId: member.id, hasSignal });

  const isScripted = headers.get("accept") === "application/json";
  const answer = context.get(answerHeadersContext);
  answer.append("Set-Cookie", keepConsent(choice, { origin, isScripted }));
  const isCounted = purposes.includes("measurement");
  if (isCounted && !granted.includes("measurement"))
    answer.append("Set-Cookie", startVisit(randomBytes(16).toString("base64url"), origin));
  if (!isCounted) answer.append("Set-Cookie", endVisit(origin));
  if (!purposes.includes("tags"))
    for (const cookie of endForeignCookies(headers.get("cookie"), origin, granted.includes("tags")))
      answer.append("Set-Cookie", cookie);
  if (isScripted) return data(null, 204);
  throw redirect(safeNext(form.get("next"), SAVED), 303);
}

export default function CookiesPage({ loaderData }: Route.ComponentProps) {
  const { purposes, chosenAt, hasSignal, isSaved } = loaderData;
  const { brand } = useRouteLoaderData("root") as RootData;
  const isRefused = hasSignal && purposes.length > 0;
  return (
    <div className="wrap page cookies-page">
      <PageHead
        title="Cookie settings"
        description={`What ${brand.name} may do in your browser beyond what it needs.`}
        path={href("/cookies")}
      />
      <h1 className="display page-title">Cookie settings</h1>
      {isSaved && <Notice tone="good" isUrgent title="Saved." />}
      <p>
        What the site needs to work is always on: it knows that you are logged in, and keeps what you closed or chose.{" "}
        <a href="/legal/cookies">Every cookie, one by one</a>
      </p>
      {purposes.length === 0 ? (
        <p>{brand.name} does nothing beyond that, so there is nothing to choose.</p>
      ) : (
        <>
          {isRefused && (
            <Notice tone="info" title="Your browser says no for you">
              <p>
                It sends Global Privacy Control, so all of this is off while it does. You can turn the signal off in its
                settings.
              </p>
            </Notice>
          )}
          <form method="post" action={PATH} className="consent-form">
            <fieldset disabled={isRefused}>
              <legend className="display section-title">Only if you agree</legend>
              {purposes.map(({ purpose, label, text, isGranted }) => (
                <CheckboxField key={purpose} name={purpose} label={label} help={text} defaultChecked={isGranted} />
              ))}
            </fieldset>
            {!isRefused && (
              <p className="button-row">
                <button type="submit" name="choice" value="some" className="button">
                  Save choices
                </button>
                <button type="submit" name="choice" value="none" className="button is-quiet">
                  Refuse all
                </button>
                <button type="submit" name="choice" value="all" className="button is-quiet">
                  Accept all
                </button>
              </p>
            )}
          </form>
          {purposes.some(({ purpose, isGranted }) => purpose === "messages" && isGranted) && <AskForMessages />}
          <p className="soft">
            {chosenAt ? `You chose on ${longDate(chosenAt)}. ` : ""}We ask again after six months. You can change your
            mind at any time, with the link at the foot of every page, and what you no longer agree to is deleted from
            this browser.
          </p>
        </>
      )}
    </div>
  );
}

/** Shown by script where the browser has not been asked yet (ask-for-messages.ts). */
function AskForMessages() {
  return (
    <section className="messages-question" aria-labelledby="messages-question" hidden>
      <h2 id="messages-question" className="display section-title">
        Your browser has to agree too
      </h2>
      <p>You have agreed to messages on this device. Your browser shows none before it has asked you itself.</p>
      <p>
        <button type="button" className="button">
          Let my browser ask
        </button>
      </p>
      <p role="status" tabIndex={-1} />
    </section>
  );
}
