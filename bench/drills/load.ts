import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A member who follows deals, reads pages and searches, on all processes in turn. */
export interface Load {
  /** Returns the number of responses by status since the last call; 0 stands for no response. */
  counts(): Map<number, number>;
  /** References of clicks that got a redirect to the network. */
  acknowledged: Set<string>;
  /** Returns the milliseconds until every process has answered each request of the last second correctly, after an outage. */
  untilWell(): Promise<number>;
  stop(): Promise<void>;
}

interface LoadOptions {
  ports: readonly number[];
  cookie: string;
  offers: readonly string[];
  connections?: number;
}

const wellForMs = 1_000;
/** The interval between requests. More requests would only measure this process. */
const pauseMs = 2;

export function startLoad({ ports, cookie, offers, connections = 16 }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections * 2 });
  const acknowledged = new Set<string>();
  let counts = new Map<number, number>();
  let isStopped = false;
  let lastFault = performance.now();
  let number = 0;

  const workers = Array.from({ length: connections }, async () => {
    while (!isStopped) {
      number += 1;
      const port = ports[(number >> 1) % ports.length]!;
      const path = pathOf(number);
      const { status, location } = await ask(port, path);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 0 || status >= 500) lastFault = performance.now();
      const reference = location && URL.parse(location)?.searchParams.get("clickref");
      if (reference) acknowledged.add(reference);
      await delay(pauseMs);
    }
  });

  /** Every second request is a click; the others are pages of members and visitors that bypass the page cache. */
  function pathOf(turn: number): string {
    const offer = offers[turn % offers.length]!;
    if (turn % 2 === 0) return `/go/offers/${offer}`;
    return ["/profile", `/search?q=drill-${turn}`, "/favourites", `/api/suggestions?q=b${turn % 100}`][
      (turn >> 1) % 4
    ]!;
  }

  function ask(port: number, path: string): Promise<{ status: number; location: string | undefined }> {
    return new Promise((resolve) => {
      const asked = request(
        { agent, port, host: "127.0.0.1", path, headers: { host: `localhost:${port}`, cookie } },
        (answer) => {
          answer.resume();
          answer.on("error", () => resolve({ status: 0, location: undefined }));
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }));
        },
      );
      asked.setTimeout(30_000, () => asked.destroy());
      asked.on("error", () => resolve({ status: 0, location: undefined }));
      asked.end();
    });
  }

  return {
    acknowledged,
    counts() {
      const now = counts;
      counts = new Map();
      return now;
    },
    async untilWell() {
      const from = performance.now();
      lastFault = from;
      while (performance.now() - lastFault < wellForMs) {
        if (performance.now() - from > 120_000) return Number.POSITIVE_INFINITY;
        await delay(10);
      }
      return Math.round(lastFault - from);
    },
    async stop() {
      isStopped = true;
      await Promise.all(workers);
      agent.destroy();
    },
  };
}
