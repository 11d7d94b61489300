/**
 * Returns a member's file to be shown in a frame of our own page. It runs no script, loads nothing, and is read by no other
 * site, whatever it holds (S1).
 */
export function fileResponse(
  { parts, mediaType, size }: { parts(): AsyncGenerator<Uint8Array<ArrayBuffer>>; mediaType: string; size: number },
  name: string,
): Response {
  const read = parts();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await read.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await read.return(undefined)),
  });
  return new Response(body, {
    headers: {
      "Content-Type": mediaType,
      "Content-Length": String(size),
      "Content-Disposition": `inline; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
