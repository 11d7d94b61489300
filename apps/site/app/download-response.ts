/**
 * Returns a member's file as a download. It runs no script, is shown in no frame, and is read by no other site, whatever
 * it holds (S1). `headers` name its type and file name.
 */
export function downloadResponse(
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(streamOf(parts), {
    headers: {
      ...headers,
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}

/** Reads from the database as fast as the file is sent, and stops when the reader has gone. */
function streamOf(parts: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
