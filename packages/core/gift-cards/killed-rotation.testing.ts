// Run by rotate-cards.test.ts as a process of its own: ends itself with SIGKILL in the middle of a batch.
import { openDatabase } from "@farthing/db/client.ts";
import { rotateCards } from "./rotate-cards.server.ts";

const [url = "", after = "", max = "", ...keys] = process.argv.slice(2);
const { db } = openDatabase({ url });
let opened = 0;
// Each card looks for its key once.
const dying = new Proxy(keys as [string], {
  get(target, name) {
    if (name === "find" && (opened += 1) > Number(after)) process.kill(process.pid, "SIGKILL");
    return Reflect.get(target, name) as unknown;
  },
});
await rotateCards(db, { keys: dying, max: Number(max) });
