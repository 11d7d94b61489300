import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Returns what `tsc --strict` says about TypeScript that imports types of a source file of the widget; nothing if it compiles. */
export function compileWith(source: string, types: string[], code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "widget-types-"));
  try {
    const file = join(folder, "uses.ts");
    writeFileSync(
      file,
      `import type { ${types.join(", ")} } from ${JSON.stringify(join(root, "packages/widget/src", source))};
       export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
       ${code}`,
    );
    const options = ["--strict", "--noEmit", "--allowImportingTsExtensions", "--skipLibCheck", "--ignoreConfig"];
    const target = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--types", ""];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...options, ...target, file], { encoding: "utf8" });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
