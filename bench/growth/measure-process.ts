import type { MeasuredServer } from "../pages/measured-server.ts";
import { startApp } from "./app.ts";
import type { Reference } from "./reference.ts";
import type { Measured } from "./verdicts.ts";

const REFERENCES = 50;

/** Starts the process `starts` times, and leaves the last one running. */
export async function measureStarts(
  where: Parameters<typeof startApp>[0],
  { starts, reference }: { starts: number; reference: Reference },
): Promise<{ server: MeasuredServer; measured: Measured }> {
  const values: number[] = [];
  const references: number[] = [];
  for (;;) {
    const { server, startMs } = await startApp(where);
    values.push(startMs);
    references.push(...(await reference.take(REFERENCES)));
    if (values.length >= starts) {
      const samples = { values, references };
      return {
        server,
        measured: { group: "process", name: "start of the process", unit: "ms", allowed: "logarithm", samples },
      };
    }
    await server.stop();
  }
}

/** Memory of the process; call it when it has answered pages of every kind. */
export function measureMemory(server: MeasuredServer): Measured {
  return {
    group: "sizes",
    name: "memory of the process, after all pages",
    unit: "MB",
    allowed: "logarithm",
    samples: { values: [server.memoryMb()], references: [] },
  };
}
