import { act } from "@farthing/core/audit/act.server.ts";
import { swapCodeFor, type SwapOutcome } from "@farthing/core/code-swaps/operations.server.ts";
import { listMemberCodes, type MemberCode } from "@farthing/core/code-swaps/queries.server.ts";
import { swapReasons, swapReasonWords, type SwapReason } from "@farthing/core/code-swaps/rules.ts";
import { findMemberRef } from "@farthing/core/members/operators.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Notice } from "../../kit/facts.tsx";
import { SelectField } from "../../kit/fields.tsx";
import { KeptWords } from "../../kit/kept-words.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { Route } from "./+types/member-codes-page";

async function memberOf({ context, params }: Pick<Route.LoaderArgs, "context" | "params">) {
  const member = await findMemberRef(context.get(servicesContext).db, { id: params.id });
  if (!member) throw refused(404, { title: "No such member", text: "There is no member at this address." });
  return member;
}

export async function loader(args: Route.LoaderArgs) {
  const { context, request } = args;
  const member = await memberOf(args);
  return {
    member,
    codes: await listMemberCodes(context.get(servicesContext).db, { memberId: member.id }),
    isSwapped: new URL(request.url).searchParams.has("swapped"),
    maySwap: may(context.get(operatorContext).role, "members.change"),
  };
}

const swapForm = z.object({
  reason: z.enum(swapReasons, { error: "Choose what happened to the code." }),
  why: whySchema,
});

interface Answer {
  /** The id of the code that is to be swapped. */
  ask: string;
  typed: Typed;
  faults: Faults;
}

/** Asks first; with `confirmed`, makes the code void and gives the member another. */
export async function action(args: Route.ActionArgs) {
  const { context, request } = args;
  const { db } = context.get(servicesContext);
  const { id: memberId } = await memberOf(args);
  const typed = typedIn(await request.formData());
  const { code: ask = "" } = typed;
  const answer = (faults: Faults, status: number) => data<Answer>({ ask, typed, faults }, { status });
  const own = (await listMemberCodes(db, { memberId })).find(({ id, voidedAt }) => id === ask && voidedAt === null);
  if (!own) return answer({ form: "Nothing was changed: this code is void, or is not this member’s." }, 409);
  if (typed["confirmed"] !== "yes") return answer({}, 200);
  const form = checkForm(typed, swapForm);
  if (!form.ok) return answer(form.faults, 422);
  const actor = actorOf(context);
  const what = {
    permission: "members.change",
    action: "member.swap-code",
    subject: { type: "member", id: memberId },
    why: form.value.why,
    changed: ({ outcome }: SwapOutcome) => outcome === "swapped",
  } as const;
  const swap = { memberId, codeId: own.id, reason: form.value.reason, now: actor.now };
  const { outcome } = await act(db, actor, what, (joined) => swapCodeFor(joined, swap));
  if (outcome === "swapped") return redirect(`/admin/members/${memberId}/codes?swapped`, 303);
  const fault =
    outcome === "pool-empty"
      ? "Nothing was changed: the pool has no other code for this member. Add codes to it first."
      : "Nothing was changed: somebody else did this first, or the account is closed.";
  return answer({ form: fault }, 409);
}

const reasonChoices: { value: SwapReason; label: string }[] = swapReasons.map((value) => ({
  value,
  label: `${swapReasonWords[value].charAt(0).toUpperCase()}${swapReasonWords[value].slice(1)}`,
}));

/** Returns what was typed, with the reason as it was chosen. */
function inWords(typed: Typed): Typed {
  return { ...typed, reason: reasonChoices.find(({ value }) => value === typed["reason"])?.label ?? "" };
}

export default function MemberCodesPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { member, codes, isSwapped, maySwap } = loaderData;
  const path = `/admin/members/${member.id}/codes`;
  const asked = posted && codes.find(({ id, voidedAt }) => id === posted.ask && voidedAt === null);
  return (
    <>
      <PageHead
        title={`Codes of ${member.name}`}
        crumbs={[
          { label: "Members", href: "/admin/members" },
          { label: member.name, href: `/admin/members/${member.id}` },
        ]}
        intro="The codes of pools that were given to this member alone, by their last characters. Members swap one code of an offer in 30 days themselves; you can swap more."
      />
      {isSwapped && !posted && (
        <Notice tone="good">The code is void, and the member finds the new one on the offer’s page.</Notice>
      )}
      {posted && !asked && (
        <>
          <Notice tone="bad">{posted.faults["form"]}</Notice>
          <KeptWords typed={inWords(posted.typed)} labels={{ reason: "What happened", why: "Why" }} />
        </>
      )}
      {asked && (
        <Confirm
          title={`Swap the code that ends in ${asked.ending}?`}
          what={
            <p>
              The member’s code for “{asked.offer}” at {asked.retailer} is void for good, and they get another of the
              pool. Tell them: no mail is sent.
            </p>
          }
          button="Swap it"
          keep={[["code", asked.id]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        >
          <SelectField
            name="reason"
            label="What happened"
            empty="Choose"
            choices={reasonChoices}
            typed={posted.typed}
            faults={posted.faults}
          />
        </Confirm>
      )}
      {codes.length === 0 ? (
        <p className="empty">This member was given no code of a pool.</p>
      ) : (
        <CodeTable codes={codes} path={path} maySwap={maySwap && !asked} />
      )}
    </>
  );
}

function CodeTable({ codes, path, maySwap }: { codes: readonly MemberCode[]; path: string; maySwap: boolean }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of codes">
      <table className="rows">
        <caption className="away">codes</caption>
        <thead>
          <tr>
            <th scope="col">Ends in</th>
            <th scope="col">Offer</th>
            <th scope="col">Given</th>
            <th scope="col">State</th>
            {maySwap && <th scope="col">Swap</th>}
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr key={code.id}>
              <td className="id">{code.ending}</td>
              <td>
                {code.offer}
                <div className="soft">{[code.retailer, code.variant].filter(Boolean).join(", ")}</div>
              </td>
              <td>
                <Moment at={code.assignedAt} />
              </td>
              <td>
                <CodeState code={code} />
              </td>
              {maySwap && (
                <td>
                  {code.voidedAt === null && (
                    <form method="post" action={path}>
                      <button className="button" name="code" value={code.id}>
                        Swap …<span className="away"> the code that ends in {code.ending}</span>
                      </button>
                    </form>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeState({ code: { voidedAt, reason, isByClub } }: { code: MemberCode }) {
  if (voidedAt === null) return <Badge tone="good">valid</Badge>;
  return (
    <>
      <Badge>void</Badge> <Moment at={voidedAt} />
      {reason && (
        <div className="soft">
          {swapReasonWords[reason]}, swapped by {isByClub ? "an operator" : "the member"}
        </div>
      )}
    </>
  );
}
