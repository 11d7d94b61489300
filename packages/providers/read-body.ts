/**
 * Reads a body as text, and stops where it grows beyond what an answer can hold.
 * @throws RangeError, or what keeps it from being read
 */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  const tooLong = () => new RangeError("more than an answer can hold");
  if (Number(response.headers.get("content-length")) > maxBytes) {
    await response.body?.cancel().catch(() => {}); // nothing is read of it
    throw tooLong();
  }
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
