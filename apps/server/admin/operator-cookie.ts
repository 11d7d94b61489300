import { createHmac } from "node:crypto";
import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { operatorSession } from "@farthing/core/operators/rules.ts";
import { hostCookie } from "../http/host-cookie.ts";

/**
 * The cookie of operators' sessions: sent to /admin only, so that no page of the members' site gets it. The token is
 * signed, so that nobody who can only write to the database has a session.
 */
export function operatorCookie({ publicScheme, key }: { publicScheme: "http" | "https"; key: string }) {
  const cookie = hostCookie("operator", { publicScheme, path: "/admin" });
  const signatureOf = (token: string) => createHmac("sha256", key).update(token).digest("base64url");
  return {
    name: cookie.name,
    set: (token: string) => cookie.set(`${token}.${signatureOf(token)}`, operatorSession.maxMs / 1000),
    clear: () => cookie.clear(),
    /** Returns the token in a Cookie header; null where there is none of ours. */
    tokenIn(cookieHeader: string | null | undefined): string | null {
      const [token = "", signature = "", ...more] = (cookie.valueIn(cookieHeader) ?? "").split(".");
      const isOurs = token !== "" && more.length === 0 && isSameSecret(signature, signatureOf(token));
      return isOurs ? token : null;
    },
  };
}

export type OperatorCookie = ReturnType<typeof operatorCookie>;
