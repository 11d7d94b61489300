import { act } from "@farthing/core/audit/act.server.ts";
import { memberList, type ListedMember, type MemberSort } from "@farthing/core/members/list-members.server.ts";
import { findBrandNames, findMemberRef } from "@farthing/core/members/operators.server.ts";
import { suspendMember } from "@farthing/core/members/suspension.server.ts";
import { may, type Permission } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { Fragment } from "react";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn } from "../../kit/read-form.ts";
import { memberListing } from "./member-list.tsx";
import type { Route } from "./+types/member-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { role } = args.context.get(operatorContext);
  const brands = await findBrandNames(args.context.get(servicesContext).db);
  const others = otherSearches.filter(({ see }) => may(role, see));
  return { brands, others, list: await loadList<ListedMember, MemberSort>(args, memberListing(brands), memberList) };
}

/** Where a number may be known that leads to no member: each has a search of its own. */
const otherSearches = [
  { label: "ledger", path: "/admin/ledger", see: "money.see" },
  { label: "card payments", path: "/admin/payments", see: "money.see" },
  { label: "unmatched sales", path: "/admin/networks/held", see: "claims.see" },
] as const satisfies { label: string; path: string; see: Permission }[];

const idsSchema = z.array(z.uuid()).min(1).max(100);

/** Suspends the chosen members: asks first, then does each with an entry of its own in the log. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const form = await request.formData();
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return data({ done: null, ask: null, says: "Choose rows first, at most 100." }, { status: 422 });
  const members = (await Promise.all(ids.data.map((id) => findMemberRef(db, { id })))).filter(
    (member) => member !== null,
  );
  const ask = members.map(({ id, name }) => ({ id, name }));
  const typed = typedIn(form);
  if (typed["confirmed"] !== "yes") return data({ done: null, ask, says: null, faults: undefined });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return data({ done: null, ask, says: null, faults: why.faults }, { status: 422 });
  let done = 0;
  for (const { id, brandId } of members) {
    const what = {
      permission: "members.change",
      action: "member.suspend",
      subject: { type: "member", id },
      why: why.value.why,
    } as const;
    if (await act(db, actor, what, (joined) => suspendMember(joined, { brandId, memberId: id, now: actor.now })))
      done += 1;
  }
  return data({ done: { suspended: done, skipped: members.length - done }, ask: null, says: null });
}

export default function MemberListPage({ loaderData: { brands, others, list }, actionData }: Route.ComponentProps) {
  const listing = memberListing(brands);
  return (
    <>
      <PageHead title="Members" />
      {actionData?.says && <Notice tone="bad">{actionData.says}</Notice>}
      {actionData?.done && (
        <Notice tone="good">
          {actionData.done.suspended} suspended and signed out everywhere.
          {actionData.done.skipped > 0 && ` ${actionData.done.skipped} were suspended or closed already.`}
        </Notice>
      )}
      {actionData?.ask && (
        <ConfirmBulk
          title={
            actionData.ask.length === 1 ? "Suspend this member?" : `Suspend these ${actionData.ask.length} members?`
          }
          what={
            <>
              <p>
                They are signed out everywhere at once, and nothing opens their accounts until somebody restores them:
              </p>
              <ul>
                {actionData.ask.map(({ id, name }) => (
                  <li key={id}>{name}</li>
                ))}
              </ul>
            </>
          }
          button={`Suspend ${actionData.ask.length}`}
          act="suspend"
          ids={actionData.ask.map(({ id }) => id)}
          faults={"faults" in actionData ? actionData.faults : undefined}
        />
      )}
      <ListScreen
        list={listing}
        loaded={list}
        empty={<p>Nobody has joined yet.</p>}
        elsewhere={
          list.filters.q &&
          others.length > 0 && (
            <p>
              Not about a member? Look for it in:{" "}
              {others.map(({ label, path }, index) => (
                <Fragment key={path}>
                  {index > 0 && ", "}
                  <a href={`${path}?${new URLSearchParams({ q: list.filters.q ?? "" })}`}>{label}</a>
                </Fragment>
              ))}
            </p>
          )
        }
      />
    </>
  );
}
