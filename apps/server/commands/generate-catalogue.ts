// npm run catalogue:generate -- --out folder [--retailers 240] [--offers 1100] [--seed farthing] [--now 2026-11-20]
import { commandLine } from "../command-line.ts";
import { parseArgs } from "node:util";
import { writeCatalogueFiles } from "@farthing/demo-catalogue/write-catalogue-files.server.ts";

const USAGE = commandLine(
  "catalogue:generate --out folder [--retailers 240] [--offers 1100] [--seed farthing] [--now 2026-11-20]",
);

try {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      retailers: { type: "string", default: "240" },
      offers: { type: "string", default: "1100" },
      seed: { type: "string", default: "farthing" },
      now: { type: "string", default: new Date().toISOString().slice(0, 10) },
    },
  });
  if (values.out === undefined) throw new Error("Name the folder to write the files to: --out folder");
  const now = new Date(`${values.now}T00:00:00Z`);
  if (Number.isNaN(now.getTime())) throw new Error(`--now must be a date such as 2026-11-20, not ${values.now}`);
  const scale = {
    seed: values.seed,
    now,
    retailers: count("--retailers", values.retailers),
    offers: count("--offers", values.offers),
  };
  const started = performance.now();
  const made = await writeCatalogueFiles(values.out, scale, (retailers) =>
    process.stdout.write(`  ${retailers} retailers written\n`),
  );
  console.log(
    `${made.retailers} retailers with ${made.offers} offers in ${values.out}, in ${Math.round((performance.now() - started) / 100) / 10} s`,
  );
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\nUsage: ${USAGE}`);
  process.exitCode = 1;
}

function count(name: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
