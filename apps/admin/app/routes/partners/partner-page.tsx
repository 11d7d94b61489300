import { may } from "@farthing/core/operators/permissions.ts";
import { findPartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import { seenPartner } from "@farthing/core/partners/operations.server.ts";
import { readPartnerUsage, totalUsage } from "@farthing/core/reports/partner-usage.server.ts";
import { londonDayOf } from "@farthing/core/reports/rules.ts";
import { addDays } from "@farthing/core/telemetry/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { StaleSave } from "../../kit/stale-save.tsx";
import { changePartnerAs, unknownPartner } from "./change-partner.server.ts";
import { PartnerKeys, PartnerOrigins, PartnerSettings, PartnerWebhooks } from "./partner-parts.tsx";
import { KEY_ADVICE, ShownOnce } from "./shown-once.tsx";
import type { Route } from "./+types/partner-page";

/** What the partner's page has in short; its usage page has more. */
const USAGE_DAYS = 28;

export async function loader({ context, params: { partner: publicId } }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const partner = await findPartnerRecord(db, { publicId });
  if (!partner) throw unknownPartner();
  const { role } = context.get(operatorContext);
  const to = londonDayOf(now());
  const usage = await readPartnerUsage(db, {
    ...{ partnerId: partner.id, mode: "live", by: "day", from: addDays(to, 1 - USAGE_DAYS), to },
  });
  return {
    partner,
    seen: seenPartner(partner),
    usage: totalUsage(usage),
    mayChange: may(role, "partners.change"),
    maySeeLog: may(role, "audit.see"),
    now: now(),
  };
}

export function action({ context, params, request }: Route.ActionArgs) {
  return changePartnerAs(context, { publicId: params.partner, request });
}

export default function PartnerPage({
  loaderData: { partner, seen, usage, mayChange, maySeeLog, now },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/partners/${partner.publicId}`;
  const questions: Record<string, { title: string; what: string; button: string; field?: string }> = {
    revoke: {
      title: `Revoke the key ${posted?.typed["prefix"] ?? ""}…?`,
      what: "Whoever uses it can mint no more tokens from now on, and its tokens open nothing. It can’t be undone: a new key is another one.",
      button: "Revoke",
      field: "prefix",
    },
    withdraw: {
      title: `Withdraw ${posted?.typed["origin"] ?? ""}?`,
      what: "Pages there may not hold the widget any more; open frames stop, also those in which somebody pays now.",
      button: "Withdraw",
      field: "origin",
    },
    disable: {
      title: `Send nothing more to ${posted?.typed["url"] ?? ""}?`,
      what: "The partner hears of no payment there any more, and what waits is not sent. Add the same address again to go on, with the same secret.",
      button: "Disable",
      field: "url",
    },
    suspend: {
      title: `Suspend ${partner.name}?`,
      what: "Its keys, tokens, open frames and webhooks stop at once, until somebody resumes it.",
      button: "Suspend",
    },
  };
  const question = posted?.isAsked ? questions[posted.act] : undefined;
  return (
    <>
      <PageHead
        title={partner.name}
        crumbs={[{ label: "Partners", href: "/admin/partners" }]}
        intro={
          <>
            {partner.suspendedAt ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">open</Badge>}{" "}
            <span className="id">{partner.publicId}</span>
          </>
        }
      >
        {maySeeLog && <a href={`/admin/audit/partner/${partner.publicId}`}>History in the log</a>}
      </PageHead>
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.stale && <StaleSave {...posted.stale} versionName="seen" typed={posted.typed} back={path} />}
      {posted?.once && (
        <ShownOnce
          {...posted.once}
          advice={
            posted.act === "key"
              ? KEY_ADVICE
              : "Send it to the partner over a secure channel. The secret before it also signs for 24 hours."
          }
        />
      )}
      {question && posted && (
        <Confirm
          title={question.title}
          what={<p>{question.what}</p>}
          button={question.button}
          keep={[
            ["act", posted.act],
            ...(question.field ? [[question.field, posted.typed[question.field] ?? ""] as const] : []),
          ]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      <div className="split">
        <div className="stack">
          <PartnerKeys path={path} partner={partner} mayChange={mayChange} />
          <PartnerWebhooks path={path} partner={partner} mayChange={mayChange} posted={posted} now={now} />
        </div>
        <div className="stack">
          <PartnerOrigins path={path} partner={partner} mayChange={mayChange} posted={posted} />
          <section className="panel" aria-labelledby="usage">
            <h2 id="usage">The last {USAGE_DAYS} days</h2>
            <Facts
              facts={[
                { label: "Payments", value: `${usage.taken} taken of ${usage.begun} begun` },
                { label: "Amount", value: <Amount pence={usage.takenPence} /> },
                { label: "Refunded of it", value: <Amount pence={usage.refundedPence} /> },
                { label: "Failed or cancelled", value: usage.failed },
                { label: "Deliveries", value: `${usage.delivered} of ${usage.deliveries}, ${usage.givenUp} given up` },
              ]}
            />
            <p>
              <a href={`${path}/usage`}>Usage by day and month</a>
            </p>
          </section>
          <section className="panel" aria-labelledby="facts">
            <h2 id="facts">The partner</h2>
            <Facts
              facts={[
                { label: "Since", value: <Moment at={partner.createdAt} isDay /> },
                ...(mayChange ? [] : [{ label: "Tokens a minute", value: partner.mintsPerMinute }]),
                { label: "Suspended", value: <Moment at={partner.suspendedAt} /> },
              ]}
            />
            {mayChange && <PartnerSettings path={path} partner={partner} seen={seen} posted={posted} />}
            {mayChange && !partner.isHouse && (
              <form method="post" action={path}>
                {partner.suspendedAt ? (
                  <button className="button" name="act" value="resume">
                    Resume
                  </button>
                ) : (
                  <button className="button is-danger-quiet" name="act" value="suspend">
                    Suspend …
                  </button>
                )}
              </form>
            )}
          </section>
        </div>
      </div>
    </>
  );
}
