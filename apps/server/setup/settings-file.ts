import { randomBytes } from "node:crypto";
import { chmod, chown, open, readFile, rename, rm } from "node:fs/promises";
import { parseEnv } from "node:util";
import { environmentSchema } from "../environment-schema.ts";

export type Settings = Readonly<Record<string, string>>;

const HEAD = `# Settings of Farthing, made by "farthing setup". docs/configuration.md describes each.
# Keep a copy apart from your backups: whoever has both reads what is encrypted.
`;

/** Reads an environment file; null where there is none, or nothing in it. Empty values count as unset. @throws Error where it can't be read */
export async function readSettingsFile(file: string): Promise<Settings | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const settings = Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  return Object.keys(settings).length > 0 ? settings : null;
}

/** Returns the settings that no line of an environment file can hold, as sentences without their values. */
export function unwritable(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    quoted(value) === null
      ? [`${name} holds a line break, or both kinds of quotes. In an address, write them as %0A, %22 and %27.`]
      : [],
  );
}

/**
 * Returns the text of an environment file, in the order of docs/configuration.md. systemd, Node and a shell read the same values
 * from it.
 */
export function settingsText(settings: Settings): string {
  const known = Object.keys(environmentSchema.shape).filter((name) => name in settings);
  const others = Object.keys(settings).filter((name) => !known.includes(name));
  return HEAD + [...known, ...others].map((name) => `${name}=${quoted(settings[name] ?? "") ?? ""}\n`).join("");
}

function quoted(value: string): string | null {
  if (/[\0-\x1f\x7f]/.test(value)) return null;
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\$`]/.test(value) ? null : `"${value}"`;
}

/**
 * Writes the file for its owner alone (mode 0600), whole or not at all: a new file takes the old one's name once it is on the disk.
 * @param owner null: the account of this process
 */
export async function writeSettingsFile(
  file: string,
  settings: Settings,
  owner: { uid: number; gid: number } | null,
): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(partial, "wx", 0o600);
    try {
      await handle.writeFile(settingsText(settings));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(partial, 0o600);
    if (owner) await chown(partial, owner.uid, owner.gid);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
