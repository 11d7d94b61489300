// Plants faults in the club's code as a process of the simulation loads it. Preloaded (`node --import`) for `npm run simulate -- --breaks` alone.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** @type {{ file: string, find: string, replace: string }[]} */
const faults = JSON.parse(process.env["SIMULATION_FAULTS"] ?? "[]");
const log = process.env["SIMULATION_FAULT_LOG"];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = faults.filter(({ file }) => new URL(url).pathname.endsWith(`/${file}`));
    if (own.length === 0) return loaded;
    let text =
      typeof loaded.source === "string"
        ? loaded.source
        : new TextDecoder().decode(/** @type {ArrayBuffer} */ (loaded.source));
    for (const { file, find, replace } of own) {
      if (text.split(find).length !== 2) throw new Error(`The fault of ${file} no longer applies: ${find}`);
      text = text.replace(find, () => replace);
      if (log) appendFileSync(log, `${file}\n`);
    }
    return { ...loaded, source: text };
  },
});
