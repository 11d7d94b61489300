import { execFileSync } from "node:child_process";

/**
 * Returns the `repository` of the published package for the address that a checkout came from, without credentials. Undefined for a folder of
 * a machine, which means nothing to anybody else.
 */
export function repositoryAt(remote: string): { type: "git"; url: string; directory: string } | undefined {
  const ssh = /^(?:ssh:\/\/)?git@([\w.-]+)[:/]([\w./~-]+?)(?:\.git)?\/?$/.exec(remote);
  const web = /^https:\/\/(?:[^@/]*@)?([\w.:-]+)\/([\w./~-]+?)(?:\.git)?\/?$/.exec(remote);
  const [, host, path] = ssh ?? web ?? [];
  if (!host || !path) return undefined;
  const url = ssh ? `git+ssh://git@${host}/${path}.git` : `git+https://${host}/${path}.git`;
  return { type: "git", url, directory: "packages/widget" };
}

/** Returns the address that this checkout came from; empty without one. */
export function originOfCheckout(): string {
  try {
    return execFileSync("git", ["config", "--get", "remote.origin.url"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return ""; // no git, no checkout, or no origin
  }
}
