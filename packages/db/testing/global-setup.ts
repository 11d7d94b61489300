import type { TestProject } from "vitest/node";
import { administer } from "./administer.ts";
import { migrate } from "../migrate.ts";
import { checkClock, shiftedUrl, shiftDatabaseClock, withRealClock } from "./shifted-clock.ts";
import { startThrowawayServer } from "./throwaway-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The administrative connection string of the server on which tests create their databases. */
    databaseAdminUrl: string;
    databaseTemplate: string;
  }
}

/**
 * Starts a server for the run, unless DATABASE_URL names one, and creates the migrated template that test files clone.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  const started = given ? { url: given, stop: async () => {} } : await withRealClock(() => startThrowawayServer());
  const server = { ...started, url: shiftedUrl(started.url) };
  const template = `farthing_template_${process.pid}`;
  const templateUrl = withDatabase(server.url, template);
  await administer(server.url, `drop database if exists ${template} with (force)`, `create database ${template}`);
  await shiftDatabaseClock(templateUrl);
  await migrate(templateUrl);
  await checkClock(templateUrl);
  project.provide("databaseAdminUrl", server.url);
  project.provide("databaseTemplate", template);
  return async () => {
    await administer(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
