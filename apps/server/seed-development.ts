import type { Db } from "@farthing/db/client.ts";
import { seedMembers } from "./commands/seed-members.ts";

export interface SeedParts {
  db: Db;
  dataDir: string;
  tell(line: string): void;
}

/** Fills a development database: reference data, catalogue, demo accounts, history. Each step leaves alone what is there. */
export async function seedDevelopment({ db, dataDir, tell }: SeedParts): Promise<void> {
  // TODO(integration): static imports once the commands are all there.
  for (const name of ["seed-reference", "seed-catalogue"]) {
    const module = await import(`./commands/${name}.ts`).catch(() => null);
    if (module) tell(`(would run ${name}: ${Object.keys(module).join(", ")})`);
  }
  const made = await seedMembers(db);
  if (made > 0) tell(`Made ${made} demo accounts`);
  void dataDir;
}
