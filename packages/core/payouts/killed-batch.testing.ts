// Run by kill-batch.test.ts as a process of its own: ends itself with SIGKILL in the middle of a batch, or of confirming one.
import { openDatabase } from "@farthing/db/client.ts";
import { makeBatch } from "./batch.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { bankKeys, method, MONDAY, payeeKeys, WEDNESDAY } from "./payouts.testing.ts";

const [url = "", what = "", after = "", batchNumber = ""] = process.argv.slice(2);
const { db } = openDatabase({ url });
let done = 0;
const dieInTime = () => {
  if ((done += 1) > Number(after)) process.kill(process.pid, "SIGKILL");
};
if (what === "batch") {
  const dying = {
    ...method,
    open(sealed: string, memberId: string) {
      dieInTime();
      return method.open(sealed, memberId);
    },
  };
  await makeBatch(db, { method: dying, bankKeys, payeeKeys, by: "drill", now: MONDAY });
} else {
  // Each confirmed payout opens its details once: dies while the transaction of the next is open.
  const keys = new Proxy([...bankKeys] as [string], {
    get(target, name) {
      if (name === "find") dieInTime();
      return Reflect.get(target, name) as unknown;
    },
  });
  await confirmBatch(db, { batchNumber: Number(batchNumber), bankKeys: keys, by: "drill", now: WEDNESDAY });
}
