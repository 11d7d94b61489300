import { sendRegistrationMailAgain } from "@farthing/core/registration/complete-registration.server.ts";
import { findDraft } from "@farthing/core/registration/drafts.server.ts";
import { evenTime } from "@farthing/core/registration/even-time.ts";
import { EVEN_ANSWER_MS, registrationLimits } from "@farthing/core/registration/rules.ts";
import { countRegistration } from "@farthing/core/registration/tries.server.ts";
import { data, href, redirect, type RouterContextProvider, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { slowDown } from "../../slow-down.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { SlowDownNotice } from "../sign-in/sign-in-page.tsx";
import type { Route } from "./+types/sent-page";
import { draftTokenOf } from "./draft-cookie.ts";
import { RegistrationFrame } from "./registration-frame.tsx";

/** Returns the address that this browser has just registered; null where it is not known, or no longer. */
async function findAddress(context: Readonly<RouterContextProvider>, request: Request): Promise<string | null> {
  const { db, now } = context.get(servicesContext);
  const { brand, origin } = context.get(visitContext);
  const token = draftTokenOf(request, origin);
  const draft = token === null ? null : await findDraft(db, { brandId: brand.id, token, now: now() });
  if (draft && !draft.isCompleted) throw redirect(href("/register/details"), 303);
  return draft?.email ?? null;
}

export async function loader({ context, request }: Route.LoaderArgs) {
  return { email: await findAddress(context, request) };
}

/** Sends the mail again. The address is that of the browser's own registration: nobody names another here. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, now, registrationSecret: secret } = context.get(servicesContext);
  const { brand, clientAddress = "unknown" } = context.get(visitContext);
  const email = await findAddress(context, request);
  if (email === null) throw redirect(href("/register/sent"), 303);
  const wait = await countRegistration(db, { what: "starts", brandId: brand.id, of: clientAddress, secret });
  if (wait > 0) return slowDown(context, { waitSeconds: wait }, wait);
  await evenTime(EVEN_ANSWER_MS, () => sendRegistrationMailAgain(db, { brandId: brand.id, email, now: now(), secret }));
  return data({ waitSeconds: 0 });
}

/** The page is the same whether the address is new or has an account. Only its mailbox learns which. */
export default function SentPage({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <RegistrationFrame step={null} title="Check your inbox">
      <PageHead title="Check your inbox" isPrivate />
      <div className="prose registration-sent" data-form-arrived="registration registration-details">
        {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
        {actionData?.waitSeconds === 0 && (
          <Notice tone="good" isUrgent title="We have sent it again">
            <p>To one address we send at most {registrationLimits.mails.tries} a day.</p>
          </Notice>
        )}
        <p>
          We have sent an e-mail{email ? " to " : ""}
          {email && <strong>{email}</strong>}. Open it and follow what it says. In this browser, one press and you are
          in; in another browser or on another device, you also type a password.
        </p>
        <h2 className="display registration-heading">Nothing there?</h2>
        <ul className="registration-list">
          <li>It can take a minute or two.</li>
          <li>Look in the folder for junk or promotions.</li>
          <li>
            Was there a slip in the address? <a href="/register">Begin again</a>.
          </li>
          {email === null && (
            <li>
              <a href="/login">Log in</a> with the address and the password that you chose: we send you a new link.
            </li>
          )}
          <li>
            Still nothing? Write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
          </li>
        </ul>
        {email !== null && (
          <form method="post" action={href("/register/sent")}>
            <button type="submit" className="button is-quiet">
              Send it again
            </button>
          </form>
        )}
      </div>
    </RegistrationFrame>
  );
}
