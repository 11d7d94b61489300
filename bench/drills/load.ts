import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@farthing/db/client.ts";

/** 0 stands for no answer. */
export interface Answer {
  status: number;
  location: string | undefined;
}

export interface Ask {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The status that is the right answer, where that is a refusal. */
  expected?: number;
  /** Called with the answer, whatever it is. */
  heard?(answer: Answer): void;
}

/** What of a kind of requests was acknowledged, and what became of it. */
export interface Count {
  acknowledged: number;
  lost: number;
  doubled: number;
}

/** One kind of requests. */
export interface Sender {
  /** What is counted, in the plural. */
  name: string;
  /** Returns the next request, which may be one again that got no answer. */
  next(turn: number): Ask;
  /** Compares what was acknowledged with the database, when the load has stopped. Null: it changes nothing that could be lost. */
  count: ((db: Db) => Promise<Count>) | null;
}

/** Senders in turn, on all ports in turn, in a closed loop. */
export interface Load {
  /** Returns what was answered since the last `take`, and begins anew. */
  take(): Taken;
  /** Returns what was answered since the last `take`. */
  peek(): Taken;
  /** Returns the milliseconds until every request of the last second was answered well, after an outage. Infinity after two minutes. */
  untilWell(): Promise<number>;
  /** Resolves when so many requests were answered since the start. */
  until(requests: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Taken {
  requests: number;
  failed: number;
  /** The number of answers by status. */
  statuses: Map<number, number>;
  /** The longest time without a good answer. */
  silenceMs: number;
}

interface LoadOptions {
  ports: readonly number[];
  cookie: string;
  senders: readonly Sender[];
  connections: number;
}

const wellForMs = 1_000;
/** The interval between requests. More requests would only measure this process. */
const pauseMs = 2;
/** The interval where nothing listens: a refusal takes no time, and would be counted thousands of times. */
const deadPauseMs = 50;
/** Longer than a failover takes: a client that waits is not a failed request. */
const timeoutMs = 60_000;

export function startLoad({ ports, cookie, senders, connections }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections * 2 });
  let taken = nothingTaken();
  let isStopped = false;
  let lastFault = performance.now();
  let lastGood = performance.now();
  let number = 0;
  let answered = 0;

  const workers = Array.from({ length: connections }, async () => {
    while (!isStopped) {
      number += 1;
      const turn = number;
      const asked = senders[turn % senders.length]!.next(turn);
      const answer = await ask(ports[Math.floor(turn / senders.length) % ports.length]!, asked);
      note(answer, asked.expected);
      asked.heard?.(answer);
      await delay(answer.status === 0 ? deadPauseMs : pauseMs);
    }
  });

  function note({ status }: Answer, expected: number | undefined): void {
    const now = performance.now();
    answered += 1;
    taken.requests += 1;
    taken.statuses.set(status, (taken.statuses.get(status) ?? 0) + 1);
    if ((status === 0 || status >= 400) && status !== expected) {
      taken.failed += 1;
      lastFault = now;
    } else {
      taken.silenceMs = Math.max(taken.silenceMs, now - lastGood);
      lastGood = now;
    }
  }

  function ask(port: number, { method = "GET", path, headers, body }: Ask): Promise<Answer> {
    return new Promise((resolve) => {
      const nothing = () => resolve({ status: 0, location: undefined });
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const asked = request(
        {
          ...{ agent, port, host: "127.0.0.1", method, path },
          headers: { host: `localhost:${port}`, cookie, ...length, ...headers },
        },
        (answer) => {
          answer.resume();
          answer.on("error", nothing);
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }));
        },
      );
      asked.setTimeout(timeoutMs, () => asked.destroy());
      asked.on("error", nothing);
      asked.end(body);
    });
  }

  const peek = (): Taken => ({ ...taken, silenceMs: Math.max(taken.silenceMs, performance.now() - lastGood) });
  return {
    peek,
    take() {
      const before = peek();
      taken = nothingTaken();
      return before;
    },
    async untilWell() {
      const from = performance.now();
      lastFault = from;
      while (performance.now() - Math.max(lastFault, from) < wellForMs || lastGood < from) {
        if (performance.now() - from > 120_000) return Number.POSITIVE_INFINITY;
        await delay(10);
      }
      return Math.round(lastFault - from);
    },
    async until(requests) {
      while (answered < requests) await delay(10);
    },
    async stop() {
      isStopped = true;
      await Promise.all(workers);
      agent.destroy();
    },
  };
}

const nothingTaken = (): Taken => ({ requests: 0, failed: 0, statuses: new Map(), silenceMs: 0 });
