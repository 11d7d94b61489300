import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import type { Db } from "@farthing/db/client.ts";
import { htmlPage } from "@farthing/server/app.testing.ts";
import { frameServer } from "@farthing/server/partners/frames.testing.ts";
import { getRequestListener } from "@hono/node-server";

/** Serves the partners' API of another database on a real port. */
export async function servePartnersApi(of: Db, cards: CardAccounts) {
  const api = frameServer(of, async (_, visit) => htmlPage("the page", visit), { cards });
  api.clock.now = new Date();
  const listen = getRequestListener(
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = { ...Object.fromEntries(request.headers), host: "one.test" };
      return request.method === "GET"
        ? api.get(pathname + search, headers)
        : api.post(pathname, await request.text(), headers);
    },
    { overrideGlobalObjects: false },
  );
  const listening = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    end: async () => {
      const closed = new Promise((resolve) => listening.close(resolve));
      listening.closeAllConnections();
      await closed;
    },
  };
}
