import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { z } from "zod";

const value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }).loose();
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(z.object({ key: z.string(), value })),
  status: z.object({ code: z.number().optional() }).optional(),
});
const sentSchema = z.array(
  z.object({
    headers: z.record(z.string(), z.unknown()),
    body: z.object({
      resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) }).loose()),
    }),
  }),
);

/** A span as the collector has it (OTLP/JSON), its attributes as a record. */
export interface CollectedSpan extends Omit<z.infer<typeof span>, "attributes"> {
  attributes: Record<string, string | number | undefined>;
}

/** Starts a collector in a process of its own, which ends with the tests of the file. */
export async function startCollector() {
  const script = fileURLToPath(new URL("./collector-process.testing.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  afterAll(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = `http://127.0.0.1:${Number(line.toString())}`;
  const read = async () => (await fetch(url)).text();
  const all = async () => sentSchema.parse(JSON.parse(await read()));
  return {
    url,
    /** Everything that was sent, as text. */
    read,
    async spans(): Promise<CollectedSpan[]> {
      return (await all())
        .flatMap(({ body }) => body.resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((one) => ({
          ...one,
          attributes: Object.fromEntries(
            one.attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? intValue]),
          ),
        }));
    },
    /** The headers of each export. */
    headers: async () => (await all()).map(({ headers }) => headers),
    /** Makes it answer `status`, until it is read. */
    refuse: async (status: number) => void (await fetch(url, { method: "PUT", body: String(status) })),
  };
}
