import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const peers = path.join(import.meta.dirname, "peers");

/** Returns the folder of a peer, and installs its packages if needed. */
export function installedPeer(name: "next" | "lighthouse" | "vendure" | "widget"): string {
  const folder = path.join(peers, name);
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  if (Object.keys(dependencies).every((one) => existsSync(path.join(folder, "node_modules", one)))) return folder;
  // Not every registry has Next's packages for other platforms, so versions are pinned in its package.json without a lock file.
  const args = existsSync(path.join(folder, "package-lock.json")) ? ["ci", "--ignore-scripts"] : ["install"];
  execFileSync("npm", [...args, "--include=dev"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

/** Installs and builds the Next peer. Returns its folder. */
export function builtNextPeer(): string {
  const folder = installedPeer("next");
  execFileSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  return folder;
}
