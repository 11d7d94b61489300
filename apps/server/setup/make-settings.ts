import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import type { Settings } from "./settings-file.ts";

const DATA_DIR = "/var/lib/farthing";

/** Returns the folder for files with bank details where none is stated: that of whoever types a command is not one to choose by chance. */
export function defaultPayoutsDir(settings: Settings): string {
  return join(settings["DATA_DIR"] ?? DATA_DIR, "payouts");
}

/** The last part of the address that a network pushes to: we choose it. */
const OWN_SECRET = /_PUSH_SECRET$/;

/**
 * Returns the settings of a first run: what was stated, then what the file has, then defaults and new random secrets. A file that stays is taken as
 * it is: then only what was stated and differs is `changed`, and nothing else is added.
 * @param existing the file's settings; null: there is none
 * @returns the settings, and the names in which they differ from an existing file
 */
export function makeSettings({
  stated,
  embedded,
  existing,
  replace,
}: {
  stated: Settings;
  embedded: boolean;
  existing: Settings | null;
  replace: boolean;
}): { settings: Settings; changed: string[] } {
  const merged: Record<string, string> = { ...existing, ...stated };
  if (embedded) delete merged["DATABASE_URL"];
  const settings = existing && !replace ? merged : { ...defaults(merged), ...merged };
  const names = [...new Set([...Object.keys(settings), ...Object.keys(existing ?? {})])];
  const changed = existing ? names.filter((name) => existing[name] !== settings[name]) : [];
  return { settings, changed };
}

function defaults(settings: Settings): Settings {
  const dataDir = settings["DATA_DIR"] ?? DATA_DIR;
  return {
    FARTHING_ENV: "production",
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PAYOUTS_DIR: defaultPayoutsDir(settings),
    TRUST_PROXY: "loopback",
    FARTHING_SECRET: randomSecret(),
    METRICS_TOKEN: randomSecret(),
    ...pushSecrets(settings),
    // Its socket is there, where a unit with a private /tmp and a command in a shell find the same one.
    ...(settings["DATABASE_URL"] === undefined ? { TMPDIR: join(dataDir, "tmp") } : {}),
  };
}

/**
 * Returns a secret for the address of each network that is being set up. Where none is, the first network's settings are asked for, and its
 * secret is not to be among them.
 */
function pushSecrets(settings: Settings): Settings {
  const setUp = allNetworks.filter(({ environment }) => Object.keys(environment.shape).some((name) => settings[name]));
  return Object.fromEntries(
    (setUp.length > 0 ? setUp : allNetworks.slice(0, 1))
      .flatMap(({ required }) => Object.keys(required).filter((name) => OWN_SECRET.test(name)))
      .map((name) => [name, randomSecret()]),
  );
}

function randomSecret(): string {
  return randomBytes(32).toString("hex");
}
