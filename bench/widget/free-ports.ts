import { createServer } from "node:net";

/** The origins of one widget: partner, service, attacker, card provider. */
const PORTS = 4;
const STEP = 10;

/** Returns the first of four free ports in a row, from `from` on. @throws Error when there are none */
export async function firstOfFreePorts(from: number): Promise<number> {
  for (let first = from; first < from + 100 * STEP; first += STEP) {
    const free = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`There are no ${PORTS} free ports in a row from ${from} on. Set WIDGET_TEST_PORT to another start.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
