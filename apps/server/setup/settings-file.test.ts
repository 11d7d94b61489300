import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSettingsFile, settingsText, unwritable, writeSettingsFile } from "./settings-file.ts";

const folder = mkdtempSync(join(tmpdir(), "farthing-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = {
  DATABASE_URL: "postgres://farthing:p%40ss@127.0.0.1:5432/farthing?a=1&b=2",
  PORT: "3000",
  SMTP_URL: "smtp://us#er:pa$$ss@mail.example:587",
  BACS_ORIGINATOR: "123456,20-00-00,55779911,THE CLUB'S OWN",
  NODE_OPTIONS: "--max-semi-space-size=8 --max-old-space-size=256",
};

describe("P3 the environment file", () => {
  test("P3 Node and a shell read back what was written, whatever is in it", async () => {
    const file = join(folder, "all.env");
    await writeSettingsFile(file, settings, null);
    expect(await readSettingsFile(file)).toEqual(settings);
    const shown = execFileSync("sh", ["-ec", 'set -a; . "$1"; env -0', "sh", file], { encoding: "utf8", env: {} });
    expect(shown.split("\0")).toEqual(
      expect.arrayContaining(Object.entries(settings).map(([name, value]) => `${name}=${value}`)),
    );
  });

  test("S1 only its owner can read it, and nothing is left beside it", async () => {
    const file = join(folder, "mine.env");
    writeFileSync(file, "PORT=1\n", { mode: 0o644 });
    await writeSettingsFile(file, settings, null);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith("mine"))).toEqual(["mine.env"]);
  });

  test("P3 a file that can't be replaced stays as it was", async () => {
    await expect(writeSettingsFile(folder, settings, null)).rejects.toThrow(/EISDIR|directory|EEXIST|ENOTEMPTY/);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`${folder.split("/").at(-1)}.`))).toEqual([]);
  });

  test("P3 no file, and one without settings, are the same: nothing is there to keep", async () => {
    expect(await readSettingsFile(join(folder, "none.env"))).toBeNull();
    const file = join(folder, "empty.env");
    writeFileSync(file, "# nothing yet\nPORT=\n");
    expect(await readSettingsFile(file)).toBeNull();
  });

  test("S1 a value that would begin a line of its own is refused, without being shown", () => {
    expect(unwritable({ MAIL_FROM: "a@b.example\nFARTHING_ENV=dev" })).toEqual([expect.stringMatching(/^MAIL_FROM /)]);
    expect(unwritable({ SMTP_URL: `smtp://a'"b` }).join()).not.toContain("smtp://");
    expect(unwritable(settings)).toEqual([]);
  });

  test("P3 it is in the order of the documented table", () => {
    const names = [...settingsText(settings).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const rows = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
    const documented = names.filter((name) => rows.includes(`| \`${name}\``));
    expect(documented).toEqual([...documented].sort((a, b) => rows.indexOf(`| \`${a}\``) - rows.indexOf(`| \`${b}\``)));
    expect(names.at(-1)).toBe("NODE_OPTIONS");
  });
});
