/** Pieces that a body of unknown length may come in. */
const mostChunks = 4_096;

/**
 * The request with a body of at most `most` bytes, or null where it is larger: by its own word (Content-Length), or, where it comes in
 * chunks without one, as soon as it grows beyond, or comes in more of them than anybody needs.
 */
export async function limitBody(request: Request, most: number): Promise<Request | null> {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const length = request.headers.get("content-length");
  // Node's parser holds a sender to the length it announced.
  if (length !== null && !request.headers.has("transfer-encoding")) return Number(length) <= most ? request : null;
  if (request.body === null) return request;
  const chunks: Uint8Array[] = [];
  // Senders fill their chunks: whoever sends a byte in each makes every byte as much work as a kilobyte.
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > most || chunks.length >= mostChunks) return null;
    chunks.push(chunk);
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
    signal: request.signal,
  });
}
