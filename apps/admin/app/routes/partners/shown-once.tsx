/** A secret that is shown once: it can't be read again, here or in the database. */
export function ShownOnce({ label, secret, advice }: { label: string; secret: string; advice: string }) {
  return (
    <section className="confirm" role="status" aria-labelledby="shown-once">
      <h2 id="shown-once">{label}</h2>
      <p>
        <code className="secret">{secret}</code>
      </p>
      <p>{advice}</p>
    </section>
  );
}

export const KEY_ADVICE =
  "It is not shown again. Send it to the partner over a secure channel; it must stay on the partner’s server.";
