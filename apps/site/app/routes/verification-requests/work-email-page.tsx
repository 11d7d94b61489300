import { workEmailSchema } from "@farthing/core/verification-requests/schema.ts";
import {
  confirmWorkEmail,
  findWorkEmailCheck,
  requestWorkEmailCheck,
  workDomainsOf,
} from "@farthing/core/verification-requests/work-email.server.ts";
import { data, href, redirect } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { privacyContext, servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/work-email-page";
import stylesheet from "./verification-page.css?url";
import WorkEmailForm from "./work-email-form.island.tsx";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/**
 * The page that the mail links to. Opening it spends nothing, because mail scanners open links; the button does. It
 * works without a login.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, member } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const { token } = readParameters(request, "/verification/work-email");
  const domains = member ? (await workDomainsOf(db, { memberId: member.id })).map(({ domain }) => domain) : [];
  if (token === null) return { token: null, email: null, domains, isOver: !member };
  context.set(privacyContext, "secret");
  const check = token.length <= 100 ? await findWorkEmailCheck(db, { brandId: brand.id, token, now: now() }) : null;
  return { token: check && token, email: check?.email ?? null, domains, isOver: !check };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand, member } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const token = form.get("token");
  if (typeof token === "string") {
    context.set(privacyContext, "secret");
    const confirmed = await confirmWorkEmail(db, { brandId: brand.id, token: token.slice(0, 100), now: now() });
    const status = confirmed.outcome === "accepted" ? 200 : confirmed.outcome === "over" ? 410 : 409;
    return data({ confirmed, problem: null, typed: "" }, status);
  }
  if (!member) throw loginRedirect(request, href("/verification"), "not-sent");
  const typed = form.get("work_email");
  const email = workEmailSchema.safeParse(typed);
  const requested = email.success
    ? await requestWorkEmailCheck(db, { brandId: brand.id, memberId: member.id, email: email.data, now: now() })
    : { outcome: "no-address" as const };
  if (requested.outcome === "sent") throw redirect(pagePath(href("/verification"), { sent: "work-email" }), 303);
  const { words, status } = problems[requested.outcome];
  return data({ confirmed: null, problem: words, typed: typeof typed === "string" ? typed.slice(0, 254) : "" }, status);
}

const problems = {
  "no-address": { words: "Enter an e-mail address, like name@school.sch.example.", status: 400 },
  "not-a-work-email": {
    words:
      "We don’t know this address as one of your work. Use the one your employer gave you, or send a document instead.",
    status: 422,
  },
  "too-many": {
    words: "Several links have been sent today. Look for them in that mailbox, or try again tomorrow.",
    status: 429,
  },
  "not-now": { words: "You are verified already. Nothing needs to be sent.", status: 409 },
  unknown: { words: "Log in again, then try once more.", status: 409 },
} as const;

export default function WorkEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { token, email, domains, isOver } = loaderData;
  return (
    <div className="wrap page work-email-page">
      <PageHead title="Work or college e-mail" isPrivate />
      <h1 className="display page-title">
        Work or college <span className="proof-email">e-mail</span>
      </h1>
      {actionData?.confirmed ? (
        <Confirmed confirmed={actionData.confirmed} />
      ) : token && !actionData ? (
        <form method="post" action="/verification/work-email" className="work-email-form">
          <input type="hidden" name="token" value={token} />
          <p>
            You asked to prove your membership with <b>{email}</b>. Press the button, and it is done.
          </p>
          <LoadingButton className="is-large">Confirm this e-mail</LoadingButton>
        </form>
      ) : isOver && !actionData ? (
        <Confirmed confirmed={{ outcome: "over" }} />
      ) : (
        <WorkEmailForm domains={domains} error={actionData?.problem ?? undefined} email={actionData?.typed} />
      )}
    </div>
  );
}

type Confirmation = { outcome: "accepted"; validUntil: Date } | { outcome: "over" | "taken" | "not-a-work-email" };

function Confirmed({ confirmed }: { confirmed: Confirmation }) {
  if (confirmed.outcome === "accepted")
    return (
      <Notice tone="good" isUrgent title="You are verified">
        <p>Your membership is good until {longDate(confirmed.validUntil)}. You can close this page.</p>
        <p>
          <a href="/">Find an offer</a>
        </p>
      </Notice>
    );
  const words = {
    over: {
      title: "This link is over",
      text: "It works once, for a day. Ask for a new one, if you still need it.",
    },
    taken: {
      title: "This address has proved another account",
      text: "One mailbox proves one member. Send a document instead, or write to us if that is a mistake.",
    },
    "not-a-work-email": {
      title: "This address does not fit your member type any more",
      text: "Your details have changed since the link was sent. Send a document instead.",
    },
  }[confirmed.outcome];
  return (
    <Notice tone="warn" isUrgent title={words.title}>
      <p>{words.text}</p>
      <p>
        <a href="/verification">Proof of membership</a>
      </p>
    </Notice>
  );
}
