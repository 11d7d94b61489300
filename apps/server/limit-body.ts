/**
 * The request with a body of at most `most` bytes, or null where it is larger: by its own word (Content-Length), or, where it comes in
 * chunks without one, as soon as it grows beyond.
 */
export async function limitBody(request: Request, most: number): Promise<Request | null> {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const length = request.headers.get("content-length");
  // Node's parser holds a sender to the length it announced.
  if (length !== null && !request.headers.has("transfer-encoding")) return Number(length) <= most ? request : null;
  if (request.body === null) return request;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
    signal: request.signal,
  });
}
