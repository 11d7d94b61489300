import type { ReactNode } from "react";

/** Labels with values, one under another. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Tone = "plain" | "good" | "warn" | "bad";

/** A state in one or two words. */
export function Badge({ children, tone = "plain" }: { children: ReactNode; tone?: Tone }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** What has just happened, or what is wrong, at the top of a page. Read out at once. */
export function Notice({ children, tone = "plain" }: { children: ReactNode; tone?: Tone }) {
  return (
    <div className="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
