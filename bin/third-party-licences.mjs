import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ name: string, version: string, licence: string, from: string, texts: string[] }} ThirdPartyPackage */

const TEXTS = /^(licen[cs]e|copying|notice|ofl|third-party-notices)([.-].*)?$/i;

/**
 * Returns the packages in the node_modules of a folder and of what is below it, by name and version, each once.
 * @param {string} root
 * @returns {ThirdPartyPackage[]}
 */
export function thirdPartyPackages(root) {
  /** @type {Map<string, ThirdPartyPackage>} */
  const found = new Map();
  for (const folder of packageFolders(root)) {
    const { name, version, license, licenses, homepage, repository } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const texts = readdirSync(folder)
      .filter((file) => TEXTS.test(file) && lstatSync(join(folder, file)).isFile())
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
    const licence = typeof license === "string" ? license : (license?.type ?? licenses?.[0]?.type ?? "not stated");
    const from = homepage ?? (typeof repository === "string" ? repository : repository?.url) ?? "";
    found.set(`${name} ${version}`, { name, version, licence, from, texts });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => of);
}

/** @param {string} folder @returns {string[]} */
function packageFolders(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory()) // a link leads to a package of ours
    .flatMap(({ name }) => {
      const path = join(folder, name);
      if (!folder.endsWith("node_modules")) return packageFolders(path);
      if (name.startsWith("@")) return packagesOfScope(path);
      return existsSync(join(path, "package.json")) ? [path, ...packageFolders(path)] : [];
    });
}

/** @param {string} scope @returns {string[]} */
function packagesOfScope(scope) {
  return readdirSync(scope, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(scope, name))
    .filter((path) => existsSync(join(path, "package.json")))
    .flatMap((path) => [path, ...packageFolders(path)]);
}

/** Returns the text of a file with the licences of all these packages. @param {ThirdPartyPackage[]} packages */
export function licencesText(packages) {
  const line = "=".repeat(78);
  const list = packages.map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`);
  const parts = packages.map(({ name, version, licence, from, texts }) =>
    [
      line,
      `${name} ${version}`,
      `Licence: ${licence}`,
      ...(from === "" ? [] : [`From: ${from}`]),
      line,
      ...(texts.length > 0 ? texts : ["The package has no text of its licence."]),
    ].join("\n"),
  );
  const head = `This release holds ${packages.length} packages of others, under their own licences.`;
  return `${[[head, "", ...list].join("\n"), ...parts].join("\n\n")}\n`;
}
