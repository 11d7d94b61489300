/** After this time a request counts as lost: on a dead line a browser waits for minutes. */
const ANSWER_MS = 10_000;

/** What is wanted last of each key with a request under way. */
const wanted = new Map<string, unknown>();

interface Change<Value, Before> {
  /** What is changed: changes of one key are sent one after another. */
  key: string;
  value: Value;
  /** What the server has stored, as far as the page knows. */
  before: Before;
  address: string;
  fieldsOf: (value: Value) => Record<string, string>;
}

type Outcome = "done" | "refused" | "lost";

interface Posted<Value, Before> {
  /** Of the last request: `refused` is any answer but 204, and `lost` is none. */
  outcome: Outcome;
  sent: Value;
  /** The last value that the server has acknowledged; `before` if it has acknowledged none. */
  saved: Value | Before;
}

/**
 * Posts a change in the background. Two requests at once could arrive in any order: a change that is made while another
 * is under way waits for its answer, and only the last one that waits is sent, at once where the page is left. Returns null
 * for changes that waited; the call that was first returns for all of them.
 */
export async function postInTurn<Value, Before>({
  key,
  value,
  before,
  address,
  fieldsOf,
}: Change<Value, Before>): Promise<Posted<Value, Before> | null> {
  const isUnderWay = wanted.has(key);
  wanted.set(key, value);
  if (isUnderWay) return null;
  const posted: Posted<Value, Before> = { outcome: "lost", sent: value, saved: before };
  const onLeave = () => {
    const last = wanted.get(key) as Value;
    if (last !== posted.sent) void post(address, fieldsOf(last));
  };
  window.addEventListener("pagehide", onLeave);
  do {
    posted.sent = wanted.get(key) as Value;
    posted.outcome = await post(address, fieldsOf(posted.sent));
    if (posted.outcome === "done") posted.saved = posted.sent;
  } while (wanted.get(key) !== posted.sent);
  window.removeEventListener("pagehide", onLeave);
  wanted.delete(key);
  return posted;
}

async function post(address: string, fields: Record<string, string>): Promise<Outcome> {
  try {
    const { status } = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(fields),
      redirect: "manual",
      keepalive: true,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return status === 204 ? "done" : "refused";
  } catch {
    return "lost";
  }
}
