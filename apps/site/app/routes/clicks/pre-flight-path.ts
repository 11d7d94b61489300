/** Returns the address of the pre-flight check of a deal link (`/go/…`). */
export function preFlightPath(dealPath: string): string {
  const { pathname, search } = new URL(dealPath, "http://localhost");
  return `${pathname}/pre-flight${search}`;
}
