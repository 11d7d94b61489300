import { findQueue, isQueueName } from "@farthing/core/background-work/queues.server.ts";
import { refused } from "../../guard.server.ts";

/** Returns the queue that an address names. @throws Response 404 */
export function queueOf(name: string) {
  if (!isQueueName(name)) throw refused(404, { title: "No such queue", text: "There is no queue with this name." });
  return findQueue(name);
}
