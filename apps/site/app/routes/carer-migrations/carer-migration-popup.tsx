import type { OfferedMigration } from "../../../server/offered-migration.ts";

/**
 * Asks members whose work belongs to another club now whether they want to move (M7). It is beside the page, never over
 * it, so nothing is blocked, and "Not now" is as large as "Agree". It is two plain forms and works without script.
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
