import type { OfferedMigration } from "./offered-migration.ts";

/**
 * Asks members whose work has become another club's whether they want to move (product.md M7). It stands beside the page, never over it: nothing
 * is blocked, and "Not now" is as large as "Agree". Two plain forms, so it works without script.
 */
export function CarerMigrationPopup({ offered, next }: { offered: OfferedMigration; next: string }) {
  const { toName, toAudience, consent } = offered;
  return (
    <aside className="carer-popup" aria-labelledby="carer-popup-title">
      <h2 id="carer-popup-title" className="display">
        Caring for somebody now?
      </h2>
      <p>
        {toName} is our club for {toAudience}. You may join it with what we know of you already.
      </p>
      <details>
        <summary>What you agree to</summary>
        <p>{consent}</p>
      </details>
      <form method="post" action="/carer-migration" className="carer-popup-buttons">
        <input type="hidden" name="next" value={next} />
        <button
          type="submit"
          name="answer"
          value="agree"
          className="button"
          data-tracking="migration__agree_to_migrate"
        >
          Agree
        </button>
        <button type="submit" name="answer" value="later" className="button is-quiet">
          Not now
        </button>
      </form>
    </aside>
  );
}
