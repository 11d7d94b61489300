import type { Context } from "hono";

/** Returns the JSON body; an empty object if there is none or it is not an object. */
export async function readBody<T extends object>(context: Context): Promise<T> {
  const text = await context.req.text();
  try {
    const parsed: unknown = text ? JSON.parse(text) : {};
    return (typeof parsed === "object" && parsed !== null ? parsed : {}) as T;
  } catch {
    return {} as T;
  }
}
