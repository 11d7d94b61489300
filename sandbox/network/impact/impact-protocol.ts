import { postTo } from "../../deliveries/delivery-queue.ts";
import { amountText } from "../amounts.ts";
import { followClick } from "../follow-click.ts";
import type { NetworkProtocol } from "../network-protocol.ts";
import { impactApi } from "./impact-api.ts";
import { actionId } from "./impact-rows.ts";

/**
 * Impact: GET /impact/c/{partner}/{ad}/{campaign}?subId1=&u= stands for every advertiser's tracking domain; the partner API beside it; a POST of form fields
 * for every sale.
 */
export const impactProtocol: NetworkProtocol = {
  slug: "impact",
  name: "Impact",
  account: (env) => ({
    publisherId: "1924609",
    credentials: {
      accountSid: env["IMPACT_ACCOUNT_SID"] || "IRdevelopment",
      authToken: env["IMPACT_AUTH_TOKEN"] || "development-impact-token",
    },
    pushSecret: env["IMPACT_PUSH_SECRET"] || "development-impact-push-secret",
  }),
  isLink: (path) => path.startsWith("/c/"),
  routes(app, network) {
    app.get("/c/:partner/:ad/:campaign", (context) => {
      const query = (name: string): string | null => context.req.query(name) || null;
      return followClick(context, network, {
        programmeId: Number(context.req.param("campaign")),
        programmeField: "campaign",
        publisherId: context.req.param("partner"),
        publisherField: "partner",
        clickRef: query("subId1"),
        moreClickRefs: Object.fromEntries(
          [2, 3].flatMap((n) => (query(`subId${n}`) ? [[`SubId${n}`, query(`subId${n}`)!]] : [])),
        ),
        campaign: query("sharedid"),
        wantedUrl: query("u"),
      });
    });
    impactApi(app, network);
  },
  pushText: (_network, row) =>
    new URLSearchParams({
      campaign_id: String(row.advertiser_id),
      action_id: actionId(row),
      status: "PENDING",
      payout: amountText(row.commission_pence),
    }).toString(),
  sendPush: (url, text) => postTo(url, new URLSearchParams(text)),
};
