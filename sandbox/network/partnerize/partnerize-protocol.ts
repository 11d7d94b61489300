import { followClick } from "../follow-click.ts";
import type { NetworkProtocol } from "../network-protocol.ts";
import { partnerizeApi } from "./partnerize-api.ts";
import { advertiserOfCamref } from "./partnerize-queries.ts";

/**
 * Partnerize: GET /partnerize/click/camref:…/pubref:…/destination:… leads to the advertiser's page; the partner API beside it; no pushes. A camref stands for
 * the publisher and the campaign together.
 */
export const partnerizeProtocol: NetworkProtocol = {
  slug: "partnerize",
  name: "Partnerize",
  account: (env) => ({
    publisherId: env["PARTNERIZE_PUBLISHER_ID"] || "1l1000001",
    credentials: {
      applicationKey: env["PARTNERIZE_APPLICATION_KEY"] || "development-application-key",
      userApiKey: env["PARTNERIZE_USER_API_KEY"] || "development-user-key",
    },
    pushSecret: null,
  }),
  isLink: (path) => path.startsWith("/click/"),
  routes(app, network) {
    app.get("/click/*", (context) => {
      const pairs = pairsOf(new URL(context.req.url).pathname);
      return followClick(context, network, {
        programmeId: advertiserOfCamref(pairs.get("camref")) ?? 0,
        programmeField: "camref",
        publisherId: network.publisherId,
        publisherField: "camref",
        clickRef: pairs.get("pubref") ?? null,
        campaign: pairs.get("adref") ?? pairs.get("ar") ?? null,
        wantedUrl: pairs.get("destination") ?? null,
      });
    });
    partnerizeApi(app, network);
  },
  pushText: null,
  sendPush: () => Promise.resolve({ ok: false, status: null, text: "Partnerize sends no pushes." }),
};

/** Reads `name:value` pairs of a path. The destination is the last one, and everything after it belongs to it, encoded or not. */
function pairsOf(path: string): Map<string, string> {
  const [, rest = ""] = path.split(/\/click\//, 2);
  const at = rest.search(/(?:^|\/)destination:/);
  const named = (at < 0 ? rest : rest.slice(0, at)).split("/").filter(Boolean);
  const destination = at < 0 ? [] : [rest.slice(at).replace(/^\//, "")];
  return new Map(
    [...named, ...destination].map((pair) => {
      const [name = "", ...value] = pair.split(":");
      return [name, decoded(value.join(":"))] as const;
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
