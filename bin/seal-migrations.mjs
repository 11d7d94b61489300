// npm run db:seal: records the checksums of new migrations, and the next revision of each changed SQL function. A
// sealed migration is never edited, because a database that ran it would never see the change. Before a migration is
// merged, --again replaces its checksum.
import { writeFileSync } from "node:fs";
import { currentRevisions, revisionFile, sealedRevisions } from "./function-revisions.mjs";
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
  const functions = sealedRevisions();
  const current = currentRevisions();
  writeFileSync(checksumFile, `${JSON.stringify(present, null, 2)}\n`);
  writeFileSync(revisionFile, `${JSON.stringify(current, null, 2)}\n`);
  const added = Object.keys(present).filter((name) => !(name in sealed));
  const changed = Object.keys(current).filter((name) => current[name]?.revision !== functions[name]?.revision);
  tell(added.length > 0 ? `Sealed: ${added.join(", ")}` : "No new migration.");
  tell(changed.length > 0 ? `Changed functions: ${changed.join(", ")}` : "No changed function.");
  return 0;
});
