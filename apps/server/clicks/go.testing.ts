import type { Brand } from "@farthing/core/brands/brand.ts";
import type { ClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { createNetworkRegistry, type NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { Db } from "@farthing/db/client.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import { Hono } from "hono";
import { goRoutes, type GoEnv } from "./go-routes.ts";

/** Returns the deal links with a visit in place, and Awin's adapter without a reachable API. */
export function goAppForTests({
  db,
  clicks,
  brandId,
  memberId,
  now = () => new Date(),
  networks = createNetworkRegistry([
    createAwinProvider({
      publisherId: "189069",
      apiToken: "",
      apiUrl: "http://127.0.0.1:9",
      clickUrl: "https://network.test/cread.php",
    }),
  ]),
}: {
  db: Db;
  clicks: ClickRecorder;
  brandId: string;
  /** Null: not signed in. */
  memberId: string | null;
  now?: () => Date;
  networks?: NetworkRegistry;
}): Hono<GoEnv> {
  const app = new Hono<GoEnv>();
  app.use(async (context, next) => {
    context.set("visit", {
      requestId: "test",
      brand: {
        id: brandId,
        features: { appExclusive: true },
        storeLinks: { ios: "https://apps.example/ios", android: null },
      } as Brand,
      nonce: "",
      origin: "http://club.test",
      member:
        memberId === null
          ? null
          : { id: memberId, sessionId: "test", name: "Robin", email: "robin@club.test", verification: "verified" },
    });
    await next();
  });
  app.route("/", goRoutes({ db, clicks, networks, now }));
  return app;
}
