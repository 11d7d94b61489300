/** Returns whether the error is of SQLSTATE class 22 or 23: the statement had no effect, and one of its rows is at fault. */
export function isRowError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^2[23]/.test(error.code);
}
