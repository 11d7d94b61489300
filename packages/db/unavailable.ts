import pg from "pg";

/**
 * The database cannot answer at this moment: it is stopped, starting, out of connections or disk, or the connection
 * was lost. An open transaction is rolled back; the outcome of a commit in flight is unknown. Retrying later is right.
 */
export class DatabaseUnavailableError extends Error {
  /** The SQLSTATE or system error code, where there is one. */
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string | undefined }) {
    super(`The database does not answer: ${cause.message || cause.code || cause.name}`, { cause });
    this.name = "DatabaseUnavailableError";
    this.code = cause.code;
  }
}

/**
 * SQLSTATEs that concern the server, not the statement (PostgreSQL, appendix A): class 08 connection, 53 out of disk,
 * memory or connections, 57P shutdown and start-up, 58 system errors; 25006 where a standby answers instead of its
 * primary.
 */
const SERVER_CODE = /^(08|53|57P|58)|^25006$/;

/** Messages of pg about a lost connection, which have no code. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Whether an error concerns the server or the connection, not the statement. */
function isServerFault(error: Error & { code?: string | undefined; syscall?: string }): boolean {
  if (error instanceof pg.DatabaseError) return SERVER_CODE.test(error.code ?? "");
  return error.syscall !== undefined || BROKEN_CONNECTION.test(error.message);
}

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;
type Query = (...parts: unknown[]) => unknown;

/**
 * Makes the pool survive lost connections, also of clients that are checked out: a lost connection is dropped and
 * replaced at the next use, and each query that it affects rejects with DatabaseUnavailableError. The listener for
 * "error" is needed because the pool listens only while a client is idle, and an unhandled "error" event ends the
 * process.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  pool.on("error", () => {}); // the pool has already dropped the client
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient> | undefined;
  pool.connect = ((callback?: Callback) =>
    callback
      ? connect((error, ...rest) => callback(error && new DatabaseUnavailableError(error), ...rest))
      : connect()!.catch((error: Error) => {
          throw new DatabaseUnavailableError(error);
        })) as typeof pool.connect;
  pool.on("connect", (client) => {
    // The query in progress rejects with the error, and the pool drops the client when it is released.
    client.on("error", () => {});
    const query = client.query.bind(client) as Query;
    client.query = ((...parts: unknown[]) => {
      const callback = parts.at(-1);
      if (typeof callback === "function")
        return query(...parts.slice(0, -1), (error: Error | null, ...rest: unknown[]) =>
          (callback as Callback)(error && translated(error, client), ...rest),
        );
      const result = query(...parts);
      // Cursors and streams are not promises, and report errors themselves.
      return result instanceof Promise
        ? result.catch((error: Error) => {
            throw translated(error, client);
          })
        : result;
    }) as typeof client.query;
  });
}

function translated(error: Error, client: pg.ClientBase & { end?(): Promise<void> }): Error {
  if (!isServerFault(error)) return error;
  // The server sends a fatal error a moment before it closes: until then the pool must not hand out this connection.
  if (!(error instanceof pg.DatabaseError) || /^(FATAL|PANIC)$/.test(error.severity ?? ""))
    client.end?.().catch(() => {});
  return new DatabaseUnavailableError(error);
}
