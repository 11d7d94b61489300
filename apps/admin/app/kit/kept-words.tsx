import { Facts } from "./facts.tsx";
import type { Typed } from "./read-form.ts";

/**
 * Shows what was typed into a form that the page no longer has, because somebody else has decided meanwhile: nothing that was typed is lost.
 * `labels`: the form's fields, by name.
 */
export function KeptWords({ typed, labels }: { typed: Typed; labels: Readonly<Record<string, string>> }) {
  const kept = Object.entries(labels).filter(([name]) => (typed[name] ?? "").trim() !== "");
  if (kept.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="kept-words">
      <h2 id="kept-words">What you typed</h2>
      <p className="soft">None of it was saved. Copy what you still need.</p>
      <Facts facts={kept.map(([name, label]) => ({ label, value: typed[name] }))} />
    </section>
  );
}
