/** What a file of a member's may do wherever it is opened: nothing (S1). */
const LOCKED = "default-src 'none'; base-uri 'none'; form-action 'none'";

/**
 * Returns a file as it is read. `isShown`: a page of the admin shows it in a frame; otherwise it is a download. It runs no
 * script, and no other site reads it, whatever it holds.
 */
export function streamedFile(
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  { type, name, isShown = false }: { type: string; name: string; isShown?: boolean },
): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await parts.return(undefined)),
  });
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `${isShown ? "inline" : "attachment"}; filename="${name}"`,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      // The browser's own viewer of PDF files does not start in a sandbox.
      "Content-Security-Policy": isShown
        ? `${LOCKED}; frame-ancestors 'self'`
        : `${LOCKED}; frame-ancestors 'none'; sandbox`,
      ...(isShown ? { "X-Frame-Options": "SAMEORIGIN" } : {}),
    },
  });
}
