import type { MemberTypeRecord } from "@farthing/core/member-types/edit-member-types.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { TextCell, TickCell } from "./row-cells.tsx";
import { columnsOf, proofField, proofFieldNames, type ProofKindChoice } from "./proof-form.ts";
import { newKeys, rowField } from "./read-rows.ts";

interface Shown {
  typed: Typed;
  faults: Faults | undefined;
  type: MemberTypeRecord;
}

/** Which proofs members of the type are asked for: kinds as rows; everyone and each status as columns. */
export function ProofRows({ typed, faults, type, kinds }: Shown & { kinds: readonly ProofKindChoice[] }) {
  const columns = columnsOf(type);
  const names = proofFieldNames(type, kinds);
  const general = kinds.filter(({ isGeneral }) => isGeneral).map(({ name }) => name);
  return (
    <>
      <p className="soft">
        A number asks for the kind, the lowest first; an empty field does not ask for it. A status without any takes the
        list of everyone; a type without any is asked for the <a href="/admin/proof-kinds">general kinds</a>
        {general.length > 0 && `: ${general.join(", ")}`}.
      </p>
      <div className="table-scroll proof-places" tabIndex={0} role="region" aria-label="Proofs by status">
        <table>
          <thead>
            <tr>
              <th scope="col">Proof kind</th>
              {columns.map(({ status, name }) => (
                <th key={status} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ slug, name, isGeneral }) => (
              <tr key={slug}>
                <th scope="row">
                  <a href={`/admin/proof-kinds/${slug}`}>{name}</a> {isGeneral && <Badge>general</Badge>}
                </th>
                {columns.map(({ status }) => {
                  const field = proofField({ kind: slug, status });
                  return (
                    <td key={status}>
                      <TextCell {...{ typed, faults }} name={field} label={`Place of ${names.get(field)}`} isNumber />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The domains whose mailboxes prove that their owner is of the type. */
export function DomainRows({ typed, faults, type }: Shown) {
  const keys = [...type.domains.map((_, at) => `d${at}`), ...newKeys()];
  return (
    <>
      <p className="soft">
        Whoever opens a link in a mailbox there is verified at once. Name only domains whose mailboxes the employer
        gives out. Statuses that hide the organisation’s questions are not offered it.
      </p>
      <div className="rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Domain</th>
              <th scope="col">Names under it too</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key, at) => {
              const name = type.domains[at]?.name ?? `new row ${at - type.domains.length + 1}`;
              const cell = (column: string) => ({ typed, faults, name: rowField("domain", key, column) });
              return (
                <tr key={key}>
                  <td>
                    <TextCell {...cell("name")} label={`Domain: ${name}`} />
                  </td>
                  <td>
                    <TickCell {...cell("withSubdomains")} label={`Names under it too: ${name}`} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
