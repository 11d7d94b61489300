import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** A checkout of an earlier revision, in a temporary folder. `close` removes it. */
export interface EarlierCheckout {
  /** The full hash of its commit. */
  commit: string;
  /** Its `packages/widget`. */
  widget: string;
  close(): void;
}

/** Returns the last commit before HEAD that changed the widget's sources; null where the history is not that deep. */
export function previousWidgetCommit(): string | null {
  const [newest, ...older] = git("log", "--format=%H", "-n", "2", "--", "packages/widget/src").split("\n");
  // Uncommitted changes are measured against the newest commit.
  const isChanged = git("status", "--porcelain", "--", "packages/widget/src") !== "";
  return (isChanged ? newest : older[0]) || null;
}

/** Checks out `revision` beside this checkout. It uses the packages that are installed here. @throws Error when git does not know it */
export function openEarlierCheckout(revision: string): EarlierCheckout {
  const commit = git("rev-parse", "--verify", `${revision}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), "farthing-widget-"));
  git("worktree", "add", "--quiet", "--detach", "--force", folder, commit);
  for (const modules of ["node_modules", "packages/widget/node_modules"])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(folder, modules));
  return {
    commit,
    widget: join(folder, "packages/widget"),
    close() {
      git("worktree", "remove", "--force", folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
