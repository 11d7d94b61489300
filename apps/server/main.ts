import { ConfigurationError, isForDevelopment, readConfig, type Config } from "./env.ts";
import { openLogger, takeOverConsole } from "./monitoring/logger.ts";
import { closeAll, createShutdown, type Closing } from "./process/shutdown.ts";
import { StartError } from "./process/start-error.ts";
import { startServer } from "./start-server.ts";

/** Starts the process, reports progress, and ends it in order on a signal. */
async function main(config: Config): Promise<void> {
  const { logger, logRequest, close: closeLogger } = openLogger(config);
  const tell = (line: string) => (config.environment === "dev" ? process.stdout.write(`${line}\n`) : logger.info(line));
  if (config.environment !== "dev") takeOverConsole(logger);
  const closing: Closing[] = [{ name: "log", close: closeLogger }];
  let stop = async (_reason: string, _code?: number): Promise<void> => {
    await closeAll(closing, logger);
    process.exit(1);
  };
  // An uncaught error leaves unknown state behind, so the process ends, but in order and with the reason.
  const onBug = (error: unknown) => {
    logger.fatal({ err: error }, "unexpected failure: stopping");
    void stop("unexpected failure", 1);
  };
  // Something that the process needs is gone. The supervisor may restart it, and the log says why.
  const onFatal = (reason: string) => {
    logger.fatal(reason);
    void stop(reason, 1);
  };
  // A closed pipe or a full disk is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", onBug);
  process.on("unhandledRejection", onBug);
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  try {
    const { server, readiness } = await startServer({
      ...{ config, logger, logRequest, tell, closing, onFatal },
      // There is a channel where npm start or npm run dev has started the process.
      announce: process.send ? (announcement) => void process.send?.(announcement) : undefined,
    });
    stop = createShutdown({
      server,
      readiness,
      logger,
      drainMs: config.drainSeconds * 1000,
      closing,
      exit: (code) => process.exit(code),
    });
  } catch (error) {
    await closeAll(closing, logger);
    throw error;
  }
  tell(`Listening on http://${config.host}:${config.port}`);
}

try {
  await main(readConfig());
} catch (error) {
  printStartFailure(error);
  process.exitCode = 1;
}

/**
 * Prints why the process could not start: in words if a person can fix it, with the stack otherwise. Plain text in
 * development, a log record elsewhere.
 */
function printStartFailure(error: unknown): void {
  const isForPerson = error instanceof ConfigurationError || error instanceof StartError;
  if (!isForDevelopment()) {
    const { logger } = openLogger({ logLevel: "fatal", environment: "dev" });
    if (isForPerson) logger.fatal(error.message);
    else logger.fatal({ err: error }, "could not start");
    return;
  }
  const text =
    error instanceof Error && !isForPerson ? (error.stack ?? error.message) : String((error as Error).message);
  process.stderr.write(`${text}\n`);
}
