import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that drills need besides ours, with the Debian package of each. */
const PACKAGES = {
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  patroni: "patroni",
  etcd: "etcd-server",
  faketime: "faketime",
  postgres: "postgresql-15",
  git: "git",
} as const;

export type ProgramName = keyof typeof PACKAGES | "root";

/** Debian puts servers into sbin, which is not on everybody's path. */
const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
const DEBIAN_POSTGRES = "/usr/lib/postgresql";

/** Returns a program's path, or null where it is not installed. */
export function findProgram(name: keyof typeof PACKAGES): string | null {
  const folders = name === "postgres" ? postgresFolders() : FOLDERS;
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** Returns the path of a program that the drill's `needs` name. @throws Error where it is not installed */
export function programOf(name: keyof typeof PACKAGES): string {
  const found = findProgram(name);
  if (found === null) throw new Error(`${name} is not installed here. ${installLine([name])}`);
  return found;
}

/** Returns why a drill can't run here and what installs it, or null where it can. */
export function whatIsMissing(needs: readonly ProgramName[], find = findProgram): string | null {
  if (needs.includes("root") && process.getuid?.() !== 0) return "It needs root, to make a small disk.";
  const missing = needs.filter((name) => name !== "root").filter((name) => find(name) === null);
  return missing.length === 0 ? null : `${missing.join(" and ")} not installed. ${installLine(missing)}`;
}

function installLine(names: readonly (keyof typeof PACKAGES)[]): string {
  return `Debian: apt-get install --no-install-recommends ${names.map((name) => PACKAGES[name]).join(" ")}`;
}

/** The newest server first. */
function postgresFolders(): string[] {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  return versions
    .filter((version) => Number(version) >= 15)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_POSTGRES, version, "bin"));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
