import { SpanKind } from "@opentelemetry/api";
import { jobRounds, type JobRound } from "../jobs/start-job.ts";
import { fail, type Root, type Spans } from "./open-spans.ts";

/** A span for each round of each job. Returns what stops it. */
export function traceJobs({ begin, roots }: Spans): () => void {
  const open = new WeakMap<JobRound, Root>();
  const end = (round: JobRound & { error?: unknown; result?: unknown }) => {
    const span = open.get(round)?.span;
    if (typeof round.result === "number") span?.setAttribute("farthing.job.done", round.result);
    if (span && round.error !== undefined) fail(span, round.error);
    span?.end();
  };
  const subscribers = {
    start() {},
    error() {},
    asyncStart() {},
    // An error before this is a round that threw at once; nothing follows it.
    end(round: JobRound & { error?: unknown }) {
      if (round.error !== undefined) end(round);
    },
    asyncEnd: end,
  };
  jobRounds.start.bindStore(roots, (round) => {
    const root = begin(`job ${round.name}`, { kind: SpanKind.INTERNAL, attributes: { "farthing.job": round.name } });
    open.set(round, root);
    return root;
  });
  jobRounds.subscribe(subscribers);
  return () => {
    jobRounds.start.unbindStore(roots);
    jobRounds.unsubscribe(subscribers);
  };
}
