/** Thrown for a row of a report that contradicts what is stored of its sale, so that it can't be stored as it is. */
export class RefusedRowError extends Error {
  override readonly name = "RefusedRowError";
}

/**
 * Returns whether an error is a refusal of the row itself: it fails in the same way however often it is stored. SQLSTATE class 22 (text or numbers that the
 * database can't hold) and a check of a column are. A conflict with another row (unique, foreign key) may be a race, and all else may pass. A trigger that
 * reports a failed check names no constraint: it speaks of what is stored.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RefusedRowError) return true;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return false;
  return (
    error.code.startsWith("22") || (error.code === "23514" && "constraint" in error && error.constraint !== undefined)
  );
}
