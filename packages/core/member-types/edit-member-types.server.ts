import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import {
  shortNameOf,
  type CategoryRow,
  type DomainRow,
  type FieldRow,
  type MemberTypeEdit,
  type ProofRow,
  type RoleRow,
  type StatusRow,
} from "./edit-schema.ts";

/** A member type as operators list it. */
export interface ListedMemberType {
  slug: string;
  name: string;
  isOrganisation: boolean;
  position: number;
  statuses: number;
  fields: number;
  roles: number;
  brands: string | null;
}

export function memberTypeList({ q }: { q?: string }): ListQuery<"place" | "name"> {
  const like = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    from: sql`member_types type`,
    select: sql`type.slug, type.name, type.is_organisation as "isOrganisation", type.position,
      (select count(*)::int from member_statuses s where s.member_type_id = type.id) as statuses,
      (select count(*)::int from additional_fields f where f.member_type_id = type.id) as fields,
      (select count(*)::int from job_roles r join job_categories c on c.id = r.job_category_id
        where c.member_type_id = type.id) as roles,
      (select string_agg(b.name, ', ' order by b.name) from brand_member_types t join brands b on b.id = t.brand_id
        where t.member_type_id = type.id) as brands`,
    where: q ? [sql`(lower(type.name) like ${like} or type.slug like ${like})`] : [],
    sorts: {
      place: { by: sql`type.position::bigint`, type: "bigint" },
      name: { by: sql`lower(type.name)`, type: "text" },
    },
    id: { by: sql`type.id`, type: "uuid" },
  };
}

export interface MemberTypeRecord extends MemberTypeEdit {
  id: string;
  slug: string;
  version: number;
  statuses: (StatusRow & { id: string; slug: string })[];
  fields: (FieldRow & { id: string; name: string })[];
  categories: (Omit<CategoryRow, "id" | "roles"> & { id: string; roles: (RoleRow & { id: string })[] })[];
  /** The list of everyone first, then those of statuses, each in its order: places from 1. */
  proofs: ProofRow[];
  /** Work e-mail domains, by name. */
  domains: DomainRow[];
}

export async function findMemberTypeRecord(db: Db | Trx, { slug }: { slug: string }): Promise<MemberTypeRecord | null> {
  const { rows } = await sql<MemberTypeRecord>`
    select type.id, type.slug, type.version, type.name, type.is_organisation as "isOrganisation", type.position,
      type.member_id_label as "memberIdLabel", type.member_id_help as "memberIdHelp",
      coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'slug', s.slug, 'name', s.name, 'position', s.position,
          'hides', s.hides_organisation_details) order by s.position, s.id)
        from member_statuses s where s.member_type_id = type.id), '[]') as statuses,
      coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'label', f.label, 'help', f.help,
          'kind', f.input_kind, 'choices', f.choices, 'isRequired', f.is_required, 'position', f.position,
          'isOrganisationDetail', f.is_organisation_detail, 'autocomplete', f.autocomplete) order by f.position, f.id)
        from additional_fields f where f.member_type_id = type.id), '[]') as fields,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'position', c.position,
          'roles', coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'position', r.position)
              order by r.position, r.id) from job_roles r where r.job_category_id = c.id), '[]'))
          order by c.position, c.id)
        from job_categories c where c.member_type_id = type.id), '[]') as categories,
      coalesce((select jsonb_agg(jsonb_build_object('kind', listed.slug, 'status', listed.status, 'place', listed.place)
          order by listed.status_place nulls first, listed.status, listed.place)
        from (select k.slug, s.id as status, s.position as status_place,
            row_number() over (partition by p.member_status_id order by p.position, k.slug) as place
          from member_type_proofs p join proof_kinds k on k.id = p.proof_kind_id
          left join member_statuses s on s.id = p.member_status_id where p.member_type_id = type.id) listed), '[]') as proofs,
      coalesce((select jsonb_agg(jsonb_build_object('name', d.domain, 'withSubdomains', d.with_subdomains) order by d.domain)
        from work_email_domains d where d.member_type_id = type.id), '[]') as domains
    from member_types type where type.slug = ${slug}`.execute(db);
  return rows[0] ?? null;
}

export type EditedMemberType =
  | { outcome: "saved" | "unknown" | "unchanged" }
  | { outcome: "stale"; stored: MemberTypeRecord }
  /** In words, and nothing was saved. */
  | { outcome: "refused"; message: string };

/** Adds a type with its first status; no brand offers it until it is chosen there. Returns false if the short name is taken. */
export async function addMemberType(
  db: Db,
  { slug, status, ...type }: MemberTypeEdit & { slug: string; status: string },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const id = newId();
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto("member_types")
      .values({ id, slug, ...columnsOf(type) })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
    await trx
      .insertInto("member_statuses")
      .values({ id: newId(), member_type_id: id, slug: shortNameOf(status), name: status, position: 0 })
      .execute();
    return true;
  });
}

const columnsOf = ({ name, isOrganisation, memberIdLabel, memberIdHelp, position }: MemberTypeEdit) => ({
  ...{ name, is_organisation: isOrganisation, position },
  ...{ member_id_label: memberIdLabel, member_id_help: memberIdHelp },
});

/** What of a type is saved: what the form holds. Rows that are missing are removed, unless something refers to them. */
export type MemberTypePart =
  | { part: "type"; type: MemberTypeEdit }
  | { part: "statuses"; rows: StatusRow[] }
  | { part: "fields"; rows: FieldRow[] }
  | { part: "jobs"; rows: CategoryRow[] }
  | { part: "proofs"; rows: ProofRow[] }
  | { part: "domains"; rows: DomainRow[] };

/** Saves a part of a type that is still at `version`. */
export async function saveMemberTypePart(
  db: Db,
  { slug, version, ...edit }: MemberTypePart & { slug: string; version: number },
): Promise<EditedMemberType> {
  try {
    return await db.transaction().execute(async (trx): Promise<EditedMemberType> => {
      await trx.selectFrom("member_types").select("id").where("slug", "=", slug).forUpdate().execute();
      const stored = await findMemberTypeRecord(trx, { slug });
      if (!stored) return { outcome: "unknown" };
      if (stored.version !== version) return { outcome: "stale", stored };
      if (edit.part === "statuses" && edit.rows.length === 0)
        throw new Refused("A type needs a status: the registration asks for one.");
      await write(trx, stored, edit);
      const after = await findMemberTypeRecord(trx, { slug });
      if (JSON.stringify({ ...after, version }) === JSON.stringify(stored)) return { outcome: "unchanged" };
      // A part has no version of its own: every change is one of the type.
      if (after?.version === version)
        await trx
          .updateTable("member_types")
          .set({ version: version + 1 })
          .where("id", "=", stored.id)
          .execute();
      return { outcome: "saved" };
    });
  } catch (error) {
    if (error instanceof Refused) return { outcome: "refused", message: error.message };
    throw error;
  }
}

async function write(trx: Trx, { id, ...stored }: MemberTypeRecord, edit: MemberTypePart): Promise<void> {
  switch (edit.part) {
    case "type":
      await trx.updateTable("member_types").set(columnsOf(edit.type)).where("id", "=", id).execute();
      return;
    case "statuses":
      await removed(trx, "member_statuses", stored.statuses, edit.rows);
      for (const { id: rowId, name, hides, position } of edit.rows) {
        const values = { name, position, hides_organisation_details: hides };
        const slug = freshName(
          shortNameOf(name),
          stored.statuses.map((each) => each.slug),
        );
        await (rowId
          ? trx
              .updateTable("member_statuses")
              .set(values)
              .where("id", "=", rowId)
              .where("member_type_id", "=", id)
              .execute()
          : unique(name, () =>
              trx
                .insertInto("member_statuses")
                .values({ id: newId(), member_type_id: id, slug, ...values })
                .execute(),
            ));
      }
      return;
    case "fields":
      await removed(trx, "additional_fields", stored.fields, edit.rows);
      for (const {
        id: rowId,
        label,
        help,
        kind,
        choices,
        isRequired,
        isOrganisationDetail,
        autocomplete,
        position,
      } of edit.rows) {
        const values = {
          ...{ label, help, choices, is_required: isRequired, is_organisation_detail: isOrganisationDetail },
          ...{ autocomplete, position },
        };
        const name = freshName(
          shortNameOf(label),
          stored.fields.map((each) => each.name),
        );
        // The kind of a stored field stays: members' answers have its form.
        await (rowId
          ? trx
              .updateTable("additional_fields")
              .set(values)
              .where("id", "=", rowId)
              .where("member_type_id", "=", id)
              .execute()
          : unique(label, () =>
              trx
                .insertInto("additional_fields")
                .values({ id: newId(), member_type_id: id, name, input_kind: kind, ...values })
                .execute(),
            ));
      }
      return;
    case "jobs":
      await writeJobs(trx, id, stored.categories, edit.rows);
      return;
    case "proofs":
      await writeProofs(trx, { id, statuses: stored.statuses }, edit.rows);
      return;
    case "domains":
      await trx.deleteFrom("work_email_domains").where("member_type_id", "=", id).execute();
      for (const { name, withSubdomains } of edit.rows)
        await unique(name, () =>
          trx
            .insertInto("work_email_domains")
            .values({ member_type_id: id, domain: name, with_subdomains: withSubdomains })
            .execute(),
        );
  }
}

/** Replaces the type's lists of proof. Their rows are numbered anew, so that each list is stored from 0 without gaps. */
async function writeProofs(
  trx: Trx,
  { id, statuses }: Pick<MemberTypeRecord, "id" | "statuses">,
  rows: ProofRow[],
): Promise<void> {
  const gone = new Refused("A row is not there any more. Open the page again.");
  // Locked, so that none is removed before the lists that name it are stored.
  const named = [...new Set(rows.map(({ kind }) => kind))];
  const kinds =
    named.length === 0
      ? []
      : await trx.selectFrom("proof_kinds").select(["id", "slug"]).where("slug", "in", named).forKeyShare().execute();
  const idOf = new Map(kinds.map((kind) => [kind.slug, kind.id]));
  await trx.deleteFrom("member_type_proofs").where("member_type_id", "=", id).execute();
  for (const status of [null, ...statuses.map((each) => each.id)]) {
    const list = rows.filter((row) => row.status === status).toSorted((a, b) => a.place - b.place);
    for (const [position, { kind }] of list.entries()) {
      const kindId = idOf.get(kind);
      if (kindId === undefined) throw gone;
      await trx
        .insertInto("member_type_proofs")
        .values({ id: newId(), member_type_id: id, member_status_id: status, proof_kind_id: kindId, position })
        .execute();
    }
  }
  if (rows.some(({ status }) => status !== null && !statuses.some((each) => each.id === status))) throw gone;
}

async function writeJobs(
  trx: Trx,
  typeId: string,
  stored: MemberTypeRecord["categories"],
  rows: CategoryRow[],
): Promise<void> {
  const keptRoles = rows.flatMap((row) => row.roles);
  await removed(
    trx,
    "job_roles",
    stored.flatMap((each) => each.roles),
    keptRoles,
  );
  await removed(trx, "job_categories", stored, rows);
  await freeNames(trx, "job_categories", stored, rows);
  for (const { id: rowId, roles } of rows)
    await freeNames(trx, "job_roles", stored.find((each) => each.id === rowId)?.roles ?? [], roles);
  for (const { id: rowId, name, position, roles } of rows) {
    const categoryId = rowId ?? newId();
    await unique(name, async () => {
      if (rowId)
        await trx
          .updateTable("job_categories")
          .set({ name, position })
          .where("id", "=", rowId)
          .where("member_type_id", "=", typeId)
          .execute();
      else
        await trx
          .insertInto("job_categories")
          .values({ id: categoryId, member_type_id: typeId, name, position })
          .execute();
    });
    for (const role of roles)
      await unique(role.name, async () => {
        const values = { name: role.name, position: role.position };
        if (role.id)
          await trx
            .updateTable("job_roles")
            .set(values)
            .where("id", "=", role.id)
            .where("job_category_id", "=", categoryId)
            .execute();
        else
          await trx
            .insertInto("job_roles")
            .values({ id: newId(), job_category_id: categoryId, ...values })
            .execute();
      });
  }
}

/** Rows may swap names: those that change are renamed to their ids first. */
async function freeNames(
  trx: Trx,
  table: "job_categories" | "job_roles",
  stored: readonly { id: string; name: string }[],
  rows: readonly { id: string | null; name: string }[],
): Promise<void> {
  for (const { id, name } of stored)
    if (rows.some((row) => row.id === id && row.name !== name))
      await trx.updateTable(table).set({ name: id }).where("id", "=", id).execute();
}

/** Returns the name, or with a number where it is taken. */
function freshName(name: string, taken: readonly string[]): string {
  for (let count = 2, candidate = name; ; count += 1) {
    if (!taken.includes(candidate)) return candidate;
    candidate = `${name.slice(0, 36)}_${count}`;
  }
}

/** Removes the rows that the form no longer has. */
async function removed(
  trx: Trx,
  table: "member_statuses" | "additional_fields" | "job_categories" | "job_roles",
  stored: readonly { id: string; name: string }[],
  kept: readonly { id: string | null }[],
): Promise<void> {
  // A form names rows of this type only.
  if (kept.some(({ id }) => id !== null && !stored.some((row) => row.id === id)))
    throw new Refused("A row is not there any more. Open the page again.");
  for (const { id, name } of stored) {
    if (kept.some((row) => row.id === id)) continue;
    try {
      await trx.deleteFrom(table).where("id", "=", id).execute();
    } catch (error) {
      if ((error as { code?: unknown }).code !== "23503") throw error;
      throw new Refused(
        `“${name}” is what members or rules refer to, so it can’t be removed. Rename it, or place it last.`,
      );
    }
  }
}

async function unique(name: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "23505") throw error;
    throw new Refused(`“${name}” is there twice. Give each a name of its own.`);
  }
}

/** Ends the transaction: nothing is saved. */
class Refused extends Error {}
