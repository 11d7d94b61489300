import pg from "pg";

/** Executes statements on a connection of their own, each in no transaction: a database can't be created or dropped inside one. */
export async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
