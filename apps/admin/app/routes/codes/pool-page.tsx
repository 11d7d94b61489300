import { act } from "@farthing/core/audit/act.server.ts";
import { findPoolRecord, type PoolRecord } from "@farthing/core/code-pools/list-pools.server.ts";
import { fillPool, planPool } from "@farthing/core/code-pools/operations.server.ts";
import { countSwaps, type SwapCounts } from "@farthing/core/code-swaps/queries.server.ts";
import { swapReasonWords } from "@farthing/core/code-swaps/rules.ts";
import { readCodes, type CodeLine } from "@farthing/core/code-pools/read-codes.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { LongField, SelectField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readFile } from "../../kit/read-file.server.ts";
import { PoolLevel } from "./pool-list.tsx";
import type { Route } from "./+types/pool-page";

const unknown = () => refused(404, { title: "No such offer", text: "Go back to the pools of codes." });
/** A code has at most 60 characters, and a file 100,000 codes. */
const MAX_BYTES = 7_000_000;
const MAX_NAMED = 100;

export async function loader({ context, params: { offer: publicId }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const pool = await findPoolRecord(db, { publicId });
  if (!pool) throw unknown();
  const added = /^\d{1,6}$/.exec(new URL(request.url).searchParams.get("added") ?? "")?.[0] ?? null;
  const swaps = await countSwaps(db, { offerId: pool.id, now: now() });
  return { pool, swaps, added, mayChange: may(context.get(operatorContext).role, "catalogue.change") };
}

interface Posted {
  fault: string | null;
  /** What was typed or read, so that it can be corrected or confirmed. */
  text: string;
  variant: string;
  problems: CodeLine[];
  problemCount: number;
  /** Null where something is wrong: nothing can be added. */
  plan: { added: number; left: CodeLine[]; leftCount: number } | null;
}

/** Reads codes and shows what they would do; with `confirmed`, adds them. */
export async function action({ context, params: { offer: publicId }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const pool = await findPoolRecord(db, { publicId });
  if (!pool) throw unknown();
  const answer = (posted: Partial<Posted>, status = 422) =>
    data<Posted>(
      { fault: null, text: "", variant: "", problems: [], problemCount: 0, plan: null, ...posted },
      { status },
    );
  const file = await readFile(request, { maxBytes: MAX_BYTES, orField: "codes" });
  if (!file.ok)
    return answer({
      ...{ fault: file.fault, variant: String(file.form?.get("variant") ?? "") },
      text: String(file.form?.get("codes") ?? ""),
    });
  const { text, form } = file;
  const variant = String(form.get("variant") ?? "");
  const typed = { text, variant };
  const isKnown = variant === "" || pool.variants.some(({ id }) => id === variant);
  if (!isKnown) return answer({ ...typed, fault: "Choose a variant of this offer." });
  const { codes, problems, problemCount, repeated } = readCodes(text);
  if (problemCount > 0) return answer({ ...typed, problems, problemCount });
  const given = codes.map(({ code }) => code);
  if (form.get("confirmed") !== "yes") {
    const { added, known } = await planPool(db, { offerId: pool.id, codes: given });
    const isHeld = new Set(known);
    const left = [
      ...repeated,
      ...codes
        .filter(({ code }) => isHeld.has(code))
        .map(({ line, code }) => ({ line, code, message: "is in this offer already" })),
    ];
    const plan = { added: added.length, left: left.slice(0, MAX_NAMED), leftCount: left.length };
    return answer({ ...typed, plan }, 200);
  }
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: "offer.fill-pool",
    subject: { type: "offer", id: publicId },
    changed: (count: number | null) => count !== null && count > 0,
  } as const;
  const added = await act(db, actor, what, (joined) =>
    fillPool(joined, { offerId: pool.id, variantId: variant || null, codes: given, now: actor.now }),
  );
  return redirect(`/admin/codes/${publicId}?added=${added ?? 0}`, 303);
}

export default function PoolPage({
  loaderData: { pool, swaps, added, mayChange },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/codes/${pool.publicId}`;
  return (
    <>
      <PageHead title={`Codes of ${pool.title}`} crumbs={[{ label: "Codes", href: "/admin/codes" }]}>
        <a href={`/admin/offers/${pool.publicId}`}>The offer</a>
      </PageHead>
      {added !== null && !posted && (
        <Notice tone={added === "0" ? "warn" : "good"}>
          {added === "0" ? "Nothing was added: the offer has all these codes." : `${added} codes are added.`}
        </Notice>
      )}
      {posted?.fault && <Notice tone="bad">{posted.fault}</Notice>}
      {posted && posted.problemCount > 0 && (
        <Notice tone="bad">
          Nothing was added: {posted.problemCount} {posted.problemCount === 1 ? "line" : "lines"} can’t be read. Correct
          them below and try again.
        </Notice>
      )}
      {posted && <Lines lines={posted.problems} label="Lines that can’t be read" />}
      {posted?.plan && <Plan posted={posted} plan={posted.plan} pool={pool} path={path} />}
      <div className="split">
        <div className="block">
          <Pools pool={pool} />
          <Swaps swaps={swaps} />
        </div>
        {mayChange && !posted?.plan && (
          <section className="panel" aria-labelledby="add">
            <h2 id="add">Add codes</h2>
            <form method="post" action={path} encType="multipart/form-data">
              <VariantField pool={pool} value={posted?.variant ?? ""} />
              <LongField
                name="codes"
                label="Codes"
                help="One on each line."
                rows={8}
                value={posted?.text}
                isRequired={false}
              />
              <div className="field">
                <label htmlFor="file">Or a file</label>
                <p className="field-help" id="file-help">
                  Text or CSV with one column, at most 100,000 codes.
                </p>
                <input
                  id="file"
                  name="file"
                  type="file"
                  accept=".txt,.csv,text/plain,text/csv"
                  aria-describedby="file-help"
                />
              </div>
              <p>
                <button className="button is-main">Look at them, without adding</button>
              </p>
            </form>
          </section>
        )}
      </div>
    </>
  );
}

function VariantField({ pool, value }: { pool: PoolRecord; value: string }) {
  if (pool.variants.length === 0) return null;
  return (
    <SelectField
      name="variant"
      label="For"
      empty="Every variant"
      choices={pool.variants.map(({ id, label }) => ({ value: id, label }))}
      value={value}
      isRequired={false}
    />
  );
}

function Pools({ pool }: { pool: PoolRecord }) {
  return (
    <section className="panel" aria-labelledby="left">
      <h2 id="left">What is left</h2>
      {pool.pools.length === 0 && <p className="soft">There are no codes yet.</p>}
      <ul className="plain-list">
        {pool.pools.map(({ variant, free, total, void: voided }) => (
          <li key={variant ?? ""}>
            <strong>{free}</strong> of {total}{" "}
            {variant ? `for ${variant}` : pool.variants.length > 0 ? "for every variant" : ""}
            {voided > 0 && `, ${voided} void`}
          </li>
        ))}
        {pool.alarms.map(({ variant, level, raisedAt }) => (
          <li key={`${variant} ${level}`}>
            <PoolLevel level={level} /> {variant && `${variant}, `}since <Moment at={raisedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What members say of the codes that were of no use to them: many refusals mean that the retailer has withdrawn the lot. */
function Swaps({ swaps }: { swaps: readonly SwapCounts[] }) {
  return (
    <section className="panel" aria-labelledby="swaps">
      <h2 id="swaps">Swapped for another</h2>
      {swaps.length === 0 && <p className="soft">No code was swapped.</p>}
      <ul className="plain-list">
        {swaps.map(({ reason, lately, total, lastAt }) => (
          <li key={reason}>
            <strong>{total}</strong>: {swapReasonWords[reason]}, {lately} of them in the last 30 days; last{" "}
            <Moment at={lastAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Plan({
  posted,
  plan,
  pool,
  path,
}: {
  posted: Posted;
  plan: NonNullable<Posted["plan"]>;
  pool: PoolRecord;
  path: string;
}) {
  const variant = pool.variants.find(({ id }) => id === posted.variant)?.label;
  return (
    <section className="panel" aria-labelledby="plan">
      <h2 id="plan">What it would do</h2>
      <p>
        {plan.added === 0
          ? "Nothing: there is no new code."
          : `Adds ${plan.added} codes${variant ? ` for ${variant}` : ""}.`}{" "}
        {plan.leftCount > 0 && `Leaves out ${plan.leftCount} that the offer has, or that come twice.`}
      </p>
      <Lines lines={plan.left} label="Lines that are left out" />
      {plan.left.length < plan.leftCount && <p className="soft">The first {plan.left.length} of them.</p>}
      <form method="post" action={path} encType="multipart/form-data">
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="variant" value={posted.variant} />
        <textarea name="codes" hidden readOnly value={posted.text} />
        <p className="acts">
          {plan.added > 0 && <button className="button is-main">Add {plan.added} codes</button>}
          <a href={path}>Cancel</a>
        </p>
      </form>
    </section>
  );
}

function Lines({ lines, label }: { lines: readonly CodeLine[]; label: string }) {
  if (lines.length === 0) return null;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="rows">
        <caption className="away">{label}</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              Line
            </th>
            <th scope="col">Code</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, code, message }) => (
            <tr key={line}>
              <td className="number">{line}</td>
              <td className="id">{code}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
