import { postTo } from "../../deliveries/delivery-queue.ts";
import { followClick } from "../follow-click.ts";
import type { NetworkProtocol } from "../network-protocol.ts";
import { pushMessage } from "./awin-push-message.ts";
import { reportApi } from "./awin-report-api.ts";

/**
 * Awin: GET /awin/cread.php?awinmid=&awinaffid=&clickref=&ued= leads to the advertiser's page with the checksum `awc`; the publisher API beside it; a POST
 * with the field AwinTransactionPush for every sale.
 */
export const awinProtocol: NetworkProtocol = {
  slug: "awin",
  name: "Awin",
  account: (env) => ({
    publisherId: env["AWIN_PUBLISHER_ID"] || "100001",
    credentials: { token: env["AWIN_API_TOKEN"] || "development-token" },
    pushSecret: env["AWIN_PUSH_SECRET"] || "development-push-secret",
  }),
  isLink: (path) => path === "/cread.php",
  routes(app, network) {
    app.get("/cread.php", (context) => {
      const query = (name: string): string | null => context.req.query(name) || null;
      return followClick(context, network, {
        programmeId: Number(query("awinmid")),
        programmeField: "awinmid",
        publisherId: query("awinaffid"),
        publisherField: "awinaffid",
        clickRef: query("clickref"),
        moreClickRefs: Object.fromEntries(
          [2, 3, 4, 5, 6].flatMap((n) => (query(`clickref${n}`) ? [[`clickRef${n}`, query(`clickref${n}`)!]] : [])),
        ),
        campaign: query("campaign"),
        wantedUrl: query("ued"),
      });
    });
    app.route("/", reportApi(network));
  },
  pushText: (_network, row) => JSON.stringify(pushMessage(row)),
  sendPush: (url, text) => postTo(url, new URLSearchParams({ AwinTransactionPush: text })),
};
