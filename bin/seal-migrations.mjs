// npm run db:seal: records the checksums of new migrations. A sealed migration is never edited, because databases that have run it would not get the
// change. --again seals a migration again; use it only before the migration is merged.
import { writeFileSync } from "node:fs";
import { checksumFile, migrationChecksums, sealedChecksums } from "./migration-checksums.mjs";
import { Trouble, command, tell } from "./step.mjs";

await command(async () => {
  const sealed = sealedChecksums();
  const present = migrationChecksums();
  const edited = Object.keys(sealed).filter((name) => present[name] !== sealed[name]);
  if (edited.length > 0 && !process.argv.includes("--again")) {
    throw new Trouble(
      `Sealed migrations were edited or removed: ${edited.join(", ")}. Write a new migration instead. If nobody else has run them yet, run npm run db:seal -- --again.`,
    );
  }
  writeFileSync(checksumFile, `${JSON.stringify(present, null, 2)}\n`);
  const added = Object.keys(present).filter((name) => !(name in sealed));
  tell(added.length > 0 ? `Sealed: ${added.join(", ")}` : "No new migration.");
  return 0;
});
