import pg from "pg";

/**
 * The database can't be asked at this moment: it is stopped, starting, out of connections or disk, or the connection broke. What was asked
 * within a transaction is rolled back; only of a commit in flight nobody knows. Asking again in a moment is right.
 */
export class DatabaseUnavailableError extends Error {
  /** SQLSTATE or the system's code, where there is one. */
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string | undefined }) {
    super(`The database does not answer: ${cause.message || cause.code || cause.name}`, { cause });
    this.name = "DatabaseUnavailableError";
    this.code = cause.code;
  }
}

/**
 * SQLSTATEs that say something about the server and nothing about the statement (PostgreSQL, appendix A): class 08 connection, 53 out of disk,
 * memory or connections, 57P shutdown and start-up, 58 system errors; 25006 where a standby answers in place of its primary.
 */
const SERVER_CODE = /^(08|53|57P|58)|^25006$/;

/** What pg says of a connection that broke, without a code. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Whether an error of a query is the server's or the connection's, and not the statement's. */
function isServersFault(error: Error & { code?: string | undefined; syscall?: string }): boolean {
  if (error instanceof pg.DatabaseError) return SERVER_CODE.test(error.code ?? "");
  return error.syscall !== undefined || BROKEN_CONNECTION.test(error.message);
}

type Answered = (error: Error | null | undefined, ...rest: unknown[]) => void;
type Ask = (...parts: unknown[]) => unknown;

/**
 * Makes the pool survive its connections, whoever holds them: a connection that breaks is dropped and replaced at the next use, and each query
 * that meets the fault rejects with DatabaseUnavailableError. Without a listener of ours the client's "error" event ends the process, because
 * the pool listens only while a client is idle.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  pool.on("error", () => {}); // the pool has dropped the client by then
  const connect = pool.connect.bind(pool) as (answered?: Answered) => Promise<pg.PoolClient> | undefined;
  pool.connect = ((answered?: Answered) =>
    answered
      ? connect((error, ...rest) => answered(error && new DatabaseUnavailableError(error), ...rest))
      : connect()!.catch((error: Error) => {
          throw new DatabaseUnavailableError(error);
        })) as typeof pool.connect;
  pool.on("connect", (client) => {
    client.on("error", () => {}); // whoever is asking gets it as the query's error, and the pool drops the client when it comes back
    const ask = client.query.bind(client) as Ask;
    client.query = ((...parts: unknown[]) => {
      const answered = parts.at(-1);
      if (typeof answered === "function")
        return ask(...parts.slice(0, -1), (error: Error | null, ...rest: unknown[]) =>
          (answered as Answered)(error && translated(error, client), ...rest),
        );
      const asked = ask(...parts);
      // Cursors and streams are no promises, and tell of errors themselves.
      return asked instanceof Promise
        ? asked.catch((error: Error) => {
            throw translated(error, client);
          })
        : asked;
    }) as typeof client.query;
  });
}

function translated(error: Error, client: pg.ClientBase & { end?(): Promise<void> }): Error {
  if (!isServersFault(error)) return error;
  // The server says goodbye a moment before it hangs up: in that moment nobody else may get this connection from the pool.
  if (!(error instanceof pg.DatabaseError) || /^(FATAL|PANIC)$/.test(error.severity ?? ""))
    client.end?.().catch(() => {});
  return new DatabaseUnavailableError(error);
}
