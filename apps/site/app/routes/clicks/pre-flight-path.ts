/** Returns the address of the pre-flight check of a deal link (`/go/…`, with or without a query). */
export function preFlightPath(dealPath: string): string {
  return dealPath.replace(/(?=\?|$)/, "/pre-flight");
}
