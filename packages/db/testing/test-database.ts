import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { openDatabase, type OpenedDatabase } from "../client.ts";
import { administer } from "./administer.ts";

/**
 * Returns a migrated, empty database for the test file that calls it. The database is cloned in milliseconds from the
 * run's template, on a real PostgreSQL, and dropped after the file's tests. `url` is for processes that a test starts
 * itself.
 */
export async function testDatabase({ max = 10 } = {}): Promise<OpenedDatabase & { url: string }> {
  const adminUrl = inject("databaseAdminUrl");
  const name = `farthing_test_${randomBytes(6).toString("hex")}`;
  await administer(adminUrl, `create database ${name} template ${inject("databaseTemplate")} strategy file_copy`);
  const address = new URL(adminUrl);
  address.pathname = `/${name}`;
  const url = address.href;
  const opened = openDatabase({ url, max });
  afterAll(async () => {
    await opened.close();
    await administer(adminUrl, `drop database if exists ${name} with (force)`);
  });
  return { ...opened, url };
}
