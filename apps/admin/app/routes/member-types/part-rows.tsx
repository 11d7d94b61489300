import type { MemberTypeRecord } from "@farthing/core/member-types/edit-member-types.server.ts";
import { autocompletes, fieldKinds } from "@farthing/core/member-types/edit-schema.ts";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { proofField } from "./proof-form.ts";
import { newKeys, rowField } from "./read-rows.ts";
import { TextCell, TickCell } from "./row-cells.tsx";

interface Shown {
  typed: Typed;
  faults: Faults | undefined;
  type: MemberTypeRecord;
}

const on = (value: boolean) => (value ? { value: "on" } : {});

/** Returns what is stored of a part as its form shows it. */
export function typedOf(type: MemberTypeRecord, part: string): Typed {
  const typed: Record<string, string> = {};
  const put = (kind: string, key: string, values: Record<string, string | number | boolean>) => {
    for (const [column, value] of Object.entries(values))
      if (value !== false) typed[rowField(kind, key, column)] = value === true ? "on" : String(value);
  };
  if (part === "type") {
    const { name, isOrganisation, memberIdLabel, memberIdHelp, position } = type;
    Object.assign(typed, { name, memberIdLabel, memberIdHelp, position: String(position) });
    if (isOrganisation) typed["isOrganisation"] = on(true).value ?? "";
  }
  if (part === "statuses")
    for (const { id, name, hides, position } of type.statuses) put("status", id, { name, hides, position });
  if (part === "fields")
    for (const { id, name: _name, choices, ...field } of type.fields)
      put("field", id, { ...field, choices: choices.join("\n") });
  if (part === "jobs")
    for (const { id, name, position, roles } of type.categories) {
      put("category", id, { name, position });
      for (const role of roles) put("role", role.id, { name: role.name, position: role.position, category: id });
    }
  if (part === "proofs") for (const proof of type.proofs) typed[proofField(proof)] = String(proof.place);
  if (part === "domains")
    for (const [at, { name, withSubdomains }] of type.domains.entries())
      put("domain", `d${at}`, { name, withSubdomains });
  return typed;
}

/** The last place of stored rows, so that new ones come after them. */
const after = (rows: readonly { position: number }[], at: number) =>
  String(Math.max(-1, ...rows.map(({ position }) => position)) + 1 + at);

export function StatusRows({ typed, faults, type }: Shown) {
  const keys = [...type.statuses.map(({ id, name }) => ({ key: id, name })), ...newKeys().map(asNew)];
  return (
    <div className="rows">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Hides the organisation’s questions</th>
            <th scope="col">Place</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ key, name }, at) => {
            const cell = (column: string, label: string) => ({
              ...{ typed, faults, name: rowField("status", key, column), label: `${label} of ${name}` },
            });
            return (
              <tr key={key}>
                <td>
                  <TextCell {...cell("name", "Name")} />
                </td>
                <td>
                  <TickCell {...cell("hides", "Hides the organisation’s questions")} />
                </td>
                <td>
                  <TextCell
                    {...cell("position", "Place")}
                    isNumber
                    start={after(type.statuses, Math.max(0, at - type.statuses.length))}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const asNew = (key: string, at: number) => ({ key, name: `new row ${at + 1}` });

export function FieldRows({ typed, faults, type }: Shown) {
  const keys = [...type.fields.map(({ id, label }) => ({ key: id, name: label })), ...newKeys().map(asNew)];
  return (
    <>
      {keys.map(({ key, name }, at) => {
        const isNew = at >= type.fields.length;
        const field = (column: string) => rowField("field", key, column);
        const kind = typed[field("kind")] ?? "text";
        return (
          <fieldset key={key} className="group">
            <legend>{isNew ? `New question ${at - type.fields.length + 1}` : name}</legend>
            <div className="row-fields">
              <label htmlFor={field("label")}>
                Question
                <TextCell {...{ typed, faults }} name={field("label")} label={`Question of ${name}`} />
              </label>
              <label htmlFor={field("help")}>
                Help
                <TextCell {...{ typed, faults }} name={field("help")} label={`Help of ${name}`} />
              </label>
              <label>
                Kind
                {isNew ? (
                  <select name={field("kind")} defaultValue={kind}>
                    {fieldKinds.map((each) => (
                      <option key={each}>{each}</option>
                    ))}
                  </select>
                ) : (
                  <>
                    <input type="hidden" name={field("kind")} value={kind} />
                    <span className="soft">{kind}, which stays: members have answered it</span>
                  </>
                )}
              </label>
              {(isNew || kind === "select") && (
                <label>
                  Choices of a list, one a line
                  <textarea
                    id={field("choices")}
                    name={field("choices")}
                    rows={3}
                    defaultValue={typed[field("choices")] ?? ""}
                    aria-invalid={faults?.[field("choices")] ? true : undefined}
                  />
                </label>
              )}
              {!isNew && kind !== "select" && <input type="hidden" name={field("choices")} value="" />}
              <label>
                Browsers fill in
                <select name={field("autocomplete")} defaultValue={typed[field("autocomplete")] ?? "off"}>
                  {[...new Set([...autocompletes, typed[field("autocomplete")] ?? "off"])].map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
              </label>
              <label htmlFor={field("position")}>
                Place
                <TextCell
                  {...{ typed, faults }}
                  name={field("position")}
                  label={`Place of ${name}`}
                  isNumber
                  start={after(type.fields, Math.max(0, at - type.fields.length))}
                />
              </label>
              <label className="tick" htmlFor={field("isRequired")}>
                <TickCell {...{ typed, faults }} name={field("isRequired")} label={`Required: ${name}`} /> Required
              </label>
              <label className="tick" htmlFor={field("isOrganisationDetail")}>
                <TickCell
                  {...{ typed, faults }}
                  name={field("isOrganisationDetail")}
                  label={`About the organisation: ${name}`}
                />{" "}
                About the organisation
              </label>
            </div>
          </fieldset>
        );
      })}
    </>
  );
}

export function JobRows({ typed, faults, type }: Shown) {
  const categories = [
    ...type.categories,
    { id: "new0", name: "new category", position: 0, roles: [] as MemberTypeRecord["categories"][number]["roles"] },
  ];
  return (
    <>
      {categories.map(({ id, name, roles }, at) => {
        const isNew = at === type.categories.length;
        const keys = [...roles.map((role) => ({ key: role.id, name: role.name })), ...newKeys(`-${id}-`).map(asNew)];
        return (
          <fieldset key={id} className="group">
            <legend>{isNew ? "New category" : name}</legend>
            <div className="row-fields">
              <label htmlFor={rowField("category", id, "name")}>
                Category
                <TextCell {...{ typed, faults }} name={rowField("category", id, "name")} label={`Name of ${name}`} />
              </label>
              <label htmlFor={rowField("category", id, "position")}>
                Place
                <TextCell
                  {...{ typed, faults }}
                  name={rowField("category", id, "position")}
                  label={`Place of ${name}`}
                  isNumber
                  start={after(type.categories, 0)}
                />
              </label>
            </div>
            <details open={isNew ? undefined : at === 0 || undefined}>
              <summary>
                Roles of {name} ({roles.length})
              </summary>
              <div className="role-rows">
                {keys.map((role, index) => (
                  <div key={role.key} className="role-row">
                    <input type="hidden" name={rowField("role", role.key, "category")} value={id} />
                    <TextCell
                      {...{ typed, faults }}
                      name={rowField("role", role.key, "name")}
                      label={`Role ${role.name} of ${name}`}
                    />
                    <TextCell
                      {...{ typed, faults }}
                      name={rowField("role", role.key, "position")}
                      label={`Place of ${role.name} of ${name}`}
                      isNumber
                      start={after(roles, Math.max(0, index - roles.length))}
                    />
                  </div>
                ))}
              </div>
            </details>
          </fieldset>
        );
      })}
    </>
  );
}
