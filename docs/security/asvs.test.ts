import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environmentSchema } from "../../apps/server/environment-schema.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
/** The standard's ids by level. */
const levels = JSON.parse(read("docs/security/asvs-levels.json")) as Record<string, string[]>;

interface Row {
  id: string;
  level: string;
  verdict: string;
  words: string;
}

const rows: Row[] = [
  ...read("docs/security/asvs.md").matchAll(/^\| (V\d[\d.]*) +\| (\d) +\| [^|]+\| ([^|]+?) +\| ([^|]+?) +\|$/gm),
].map(([, id = "", level = "", verdict = "", words = ""]) => ({ id, level, verdict, words }));
const pathsIn = (words: string) =>
  [...words.matchAll(/`([^`\s]+\/[^`\s]*\.\w+)`|\]\(([^)#]*)/g)].map(([, path, link = ""]) =>
    path === undefined ? join("docs/security", link || "inventory.md") : path,
  );

describe("S1 the requirements of OWASP ASVS 5.0, levels 1 and 2", () => {
  test("S1 each is listed once, with its level, and no other", () => {
    const expected = Object.entries(levels).flatMap(([level, ids]) => ids.map((id) => `${id} ${level}`));
    expect(expected).toHaveLength(253);
    expect(rows.map(({ id, level }) => `${id} ${level}`).sort()).toEqual(expected.sort());
  });

  test("S1 each is met, not met or not applicable, and says by what or why", () => {
    for (const { id, verdict, words } of rows) {
      expect(["met", "not met", "not applicable"], id).toContain(verdict);
      expect(words, id).toMatch(/\w{2,}/);
    }
  });

  test("S1 whatever is met names a file that shows it, and each named file exists", () => {
    for (const { id, verdict, words } of rows) {
      const paths = pathsIn(words);
      if (verdict === "met") expect(paths, id).not.toEqual([]);
      for (const path of paths) expect(existsSync(join(root, path)), `${id}: ${path}`).toBe(true);
    }
  });

  test("S1 the page counts right", () => {
    const count = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted).length;
    expect(read("docs/security/asvs.md").replaceAll(/\s+/g, " ")).toContain(
      `Of ${rows.length} requirements, ${count("met")} are met, ${count("not met")} are not, and ${count("not applicable")} concern`,
    );
  });

  test("S1 each heading that these pages link exists", () => {
    const anchorsOf = (file: string) =>
      [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, "")
          .replaceAll(/\s/g, "-"),
      );
    for (const page of ["docs/security/asvs.md", "docs/security/inventory.md", "docs/operations/tracing.md"])
      for (const [, target = "", anchor = ""] of read(page).matchAll(/\]\(((?!https?:)[^)#]*)#([^)]+)\)/g)) {
        const file = target === "" ? page : join(page, "..", target);
        expect(anchorsOf(file), `${page}: ${target}#${anchor}`).toContain(anchor);
      }
  });
});

describe("S1 the inventories", () => {
  const inventory = read("docs/security/inventory.md");
  const firstCells = (heading: string) =>
    [
      ...(inventory.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `?([^|`]+?)`? +\| ([^|]*)\|/gm),
    ].slice(2);

  test("S1 each purpose that a key is derived for is listed, and no other", () => {
    const purposes = [...read("apps/server/secrets/derive-key.ts").matchAll(/^ {4}\| "([a-z-]+)"/gm)].map(
      ([, name]) => name,
    );
    expect(purposes.length).toBeGreaterThan(15);
    expect(new Set(firstCells("Keys and algorithms").map(([, name]) => name))).toEqual(new Set(purposes));
  });

  test("S1 each setting that is an address is listed", () => {
    const settings = Object.keys(environmentSchema.shape).filter((name) => /_(URL|ENDPOINT)$/.test(name));
    expect(settings.length).toBeGreaterThan(15);
    const connections = inventory.split("## Connections")[1]?.split("\n## ")[0] ?? "";
    expect(settings.filter((name) => !connections.includes(`\`${name}\``))).toEqual([]);
  });

  test("S1 nothing turns the check of certificates off, but the doctor, which looks at bad ones and sends nothing", () => {
    const found = ["apps", "packages", "bin"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
      )
      .filter(
        (file) => /\.(ts|tsx|mjs)$/.test(file) && !/(node_modules|build|dist)\/|\.(test|testing|e2e)\.tsx?$/.test(file),
      )
      .filter((file) => /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/.test(read(file)));
    expect(found).toEqual(["apps/server/doctor/look-at-hosts.ts"]);
  });
});
