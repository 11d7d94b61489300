import { createHmac } from "node:crypto";

/**
 * Signs a request: HMAC-SHA256 over key, method, endpoint, the request's own values and the time, joined by hyphens, in
 * hexadecimal. https://tillo.tech/reference/authentication-api-v2
 * @param endpoint the endpoint's name in signatures, such as `digital-issue` for /digital/issue
 */
export function signTillo(
  { apiKey, secret }: { apiKey: string; secret: string },
  request: { method: string; endpoint: string; values: readonly string[]; timestamp: number },
): string {
  const { method, endpoint, values, timestamp } = request;
  const text = [apiKey, method, endpoint, ...values, timestamp].join("-");
  return createHmac("sha256", secret).update(text).digest("hex");
}
