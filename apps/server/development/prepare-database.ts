// Creates, migrates and fills the database of a first start, and ends. npm start runs it beside the builds.
import { isForDevelopment, readConfig } from "../env.ts";
import { openLogger } from "../monitoring/logger.ts";
import { openFitDatabase } from "../process/open-fit-database.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";

const config = readConfig();
if (!isForDevelopment()) throw new Error("Only a development database is filled with demo data.");
const { logger, close } = openLogger(config);
const closing: Closing[] = [{ name: "log", close }];
const stop = async (code: number) => {
  await closeAll(closing, logger);
  process.exit(code);
};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stop(1));
try {
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  await openFitDatabase({ config, logger, tell, closing, onFatal: () => void stop(1) });
  await stop(0);
} catch (error) {
  logger.debug({ err: error }, "the database could not be prepared"); // the server's own start says what to do
  await stop(1);
}
