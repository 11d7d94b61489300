import { use, type ComponentProps, type ReactNode } from "react";
import { ShellContext } from "../shell-context.ts";
import { FaultSummary, WhyField } from "./fields.tsx";
import type { Faults, Typed } from "./read-form.ts";

/**
 * Asks before something that can't simply be undone: what will be done, to what, why, and the way back. It posts what
 * was posted before, with `confirmed`. Without script it is a page like any other.
 */
export function Confirm({
  title,
  what,
  button,
  keep,
  back,
  typed,
  faults,
  asksWhy = true,
  children,
}: {
  title: string;
  /** What will be done, in words, and what can't be undone. */
  what: ReactNode;
  button: string;
  /** Fields to post again, such as the ids that were chosen. */
  keep: readonly (readonly [name: string, value: string])[];
  back: string;
  typed?: Typed | undefined;
  faults?: Faults | undefined;
  /** False: the reason is among the fields that are kept. */
  asksWhy?: boolean;
  children?: ReactNode;
}) {
  return (
    <section className="confirm" aria-labelledby="confirm-title">
      <h2 id="confirm-title">{title}</h2>
      <div>{what}</div>
      <FaultSummary faults={faults} />
      <form method="post" action={back}>
        {keep.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="confirmed" value="yes" />
        {children}
        {asksWhy && <WhyField typed={typed} faults={faults} />}
        <p className="acts">
          <button className="button is-danger">{button}</button> <a href={back}>Cancel</a>
        </p>
      </form>
    </section>
  );
}

/** Asks before something is done with chosen rows of a list. The list stays as it is filtered, sorted and turned to. */
export function ConfirmBulk({
  act,
  ids,
  ...question
}: Omit<ComponentProps<typeof Confirm>, "keep" | "back"> & { act: string; ids: readonly string[] }) {
  const { path } = use(ShellContext);
  return <Confirm {...question} keep={[["act", act], ...ids.map((id) => ["ids", id] as const)]} back={path} />;
}
