import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import {
  findMemberTypeRecord,
  saveMemberTypePart,
  type EditedMemberType,
  type MemberTypePart,
  type MemberTypeRecord,
} from "@farthing/core/member-types/edit-member-types.server.ts";
import {
  fieldSchema,
  jobSchema,
  memberTypeSchema,
  statusSchema,
  workDomainSchema,
} from "@farthing/core/member-types/edit-schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { listProofKindChoices } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { FieldRows, JobRows, StatusRows, typedOf } from "./part-rows.tsx";
import { proofFieldNames, readProofs } from "./proof-form.ts";
import { DomainRows, ProofRows } from "./proof-rows.tsx";
import { readRows } from "./read-rows.ts";
import { TypeFields } from "./type-fields.tsx";
import type { Route } from "./+types/member-type-page";

const unknown = () => refused(404, { title: "No such member type", text: "Go back to the list of member types." });

export async function loader({ context, params: { type: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [type, kinds] = await Promise.all([findMemberTypeRecord(db, { slug }), listProofKindChoices(db)]);
  if (!type) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    ...{ type, kinds },
    saved: new URL(request.url).searchParams.get("saved"),
    mayChange: may(role, "settings.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

interface Posted {
  part: string;
  typed: Typed;
  faults?: Faults;
  stale?: StaleAnswer;
}

export async function action({ context, params: { type: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const part = typed["part"] ?? "";
  const answer = (posted: Omit<Posted, "part" | "typed">, status = 422) =>
    data<Posted>({ part, typed, ...posted }, { status });
  const [type, kinds] = await Promise.all([findMemberTypeRecord(db, { slug }), listProofKindChoices(db)]);
  if (!type) throw unknown();
  const names = proofFieldNames(type, kinds);
  const faults: Record<string, string> = {};
  const edit = readPart(part, typed, { names, faults });
  if (!edit || Object.keys(faults).length > 0)
    return answer({ faults: edit || Object.keys(faults).length > 0 ? faults : { form: "Choose what to save." } });
  const edited = await act(
    db,
    actorOf(context),
    {
      permission: "settings.change",
      action: "member-type.change",
      subject: { type: "member-type", id: slug },
      changed: ({ outcome }: EditedMemberType) => outcome === "saved",
    },
    (joined) => saveMemberTypePart(joined, { ...edit, slug, version: versionField.parse(typed["version"]) }),
  );
  switch (edited.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`/admin/member-types/${slug}?saved=${part}`, 303);
    case "unknown":
      throw unknown();
    case "refused":
      return answer({ faults: { form: edited.message } });
    case "stale": {
      const last = await findLastChange(db, { type: "member-type", id: slug });
      return answer({ stale: staleOf(edited.stored, { part, typed, names, last }) }, 409);
    }
  }
}

/** Reads the form of a part; null for none. */
function readPart(
  part: string,
  typed: Typed,
  { names, faults }: { names: ReadonlyMap<string, string>; faults: Record<string, string> },
): MemberTypePart | null {
  switch (part) {
    case "type": {
      const form = checkForm(typed, memberTypeSchema);
      if (form.ok) return { part, type: form.value };
      Object.assign(faults, form.faults);
      return null;
    }
    case "statuses":
      return { part, rows: readRows(typed, "status", { schema: statusSchema, name: "name", faults }) };
    case "fields":
      return { part, rows: readRows(typed, "field", { schema: fieldSchema, name: "label", faults }) };
    case "jobs": {
      const roles = readRows(typed, "role", { schema: jobSchema, name: "name", faults });
      const rows = readRows(typed, "category", { schema: jobSchema, name: "name", faults });
      const of = ({ key }: { key: string }) => typed[`role.${key}.category`];
      return { part, rows: rows.map((row) => ({ ...row, roles: roles.filter((role) => of(role) === row.key) })) };
    }
    case "proofs":
      return { part, rows: readProofs(typed, { nameOf: (field) => names.get(field) ?? field, faults }) };
    case "domains":
      return { part, rows: readRows(typed, "domain", { schema: workDomainSchema, name: "name", faults }) };
    default:
      return null;
  }
}

function staleOf(
  stored: MemberTypeRecord,
  {
    part,
    typed,
    names,
    last,
  }: {
    part: string;
    typed: Typed;
    names: ReadonlyMap<string, string>;
    last: { actor: string; at: Date } | null;
  },
): NonNullable<Posted["stale"]> {
  const theirs = typedOf(stored, part);
  const fields = [...new Set([...Object.keys(theirs), ...Object.keys(typed)])]
    .filter((name) => !["part", "version"].includes(name))
    .map((name) => ({
      ...{ name, theirs: theirs[name] ?? "", yours: (typed[name] ?? "").replaceAll("\r\n", "\n") },
      label: names.get(name) ?? name.replace(/\.(?:[0-9a-f-]{36}|d\d+|new\d)\./, " "),
    }))
    .filter(({ theirs: one, yours }) => one !== yours);
  return { by: last?.actor ?? null, at: last?.at ?? null, version: stored.version, fields };
}

export default function MemberTypePage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { type, kinds, saved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/member-types/${type.slug}`;
  const shown = (part: string) =>
    posted?.part === part
      ? { typed: posted.typed, faults: posted.faults }
      : { typed: typedOf(type, part), faults: undefined };
  const parts = [
    { part: "type", title: "The type", rows: <TypeFields {...shown("type")} /> },
    { part: "statuses", title: "Statuses", rows: <StatusRows {...shown("statuses")} type={type} /> },
    { part: "fields", title: "Questions of the registration", rows: <FieldRows {...shown("fields")} type={type} /> },
    ...(type.isOrganisation
      ? []
      : [{ part: "jobs", title: "Job categories and roles", rows: <JobRows {...shown("jobs")} type={type} /> }]),
    { part: "proofs", title: "Proofs", rows: <ProofRows {...shown("proofs")} type={type} kinds={kinds} /> },
    { part: "domains", title: "Work e-mail domains", rows: <DomainRows {...shown("domains")} type={type} /> },
  ];
  return (
    <>
      <PageHead
        title={type.name}
        crumbs={[{ label: "Member types", href: "/admin/member-types" }]}
        intro={<span className="id">{type.slug}</span>}
      >
        {maySeeLog && <a href={`/admin/audit/member-type/${type.slug}`}>History in the log</a>}
      </PageHead>
      {!posted && saved !== null && (
        <Notice tone="good">
          {["proofs", "domains"].includes(saved)
            ? "Saved. Members who open Proof of membership see it."
            : "Saved. The next registration asks it."}
        </Notice>
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      <FaultSummary faults={posted?.faults} />
      <p className="soft">
        To remove a row, empty its name. What members have chosen can’t be removed: rename it, or place it last.
      </p>
      {parts.map(({ part, title, rows }) => (
        <form key={part} method="post" action={path} className="panel" aria-labelledby={`title-${part}`}>
          <h2 id={`title-${part}`}>{title}</h2>
          <input type="hidden" name="part" value={part} />
          <VersionField current={type.version} typed={shown(part).typed} stale={posted?.stale} />
          <fieldset className="plain" disabled={!mayChange}>
            {rows}
          </fieldset>
          {mayChange && (
            <button className="button is-main" aria-describedby={`title-${part}`}>
              Save
            </button>
          )}
        </form>
      ))}
    </>
  );
}
