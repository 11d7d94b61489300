import type { HttpBindings } from "@hono/node-server";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";

/** What the server has found out about a request before a route's handler runs; handlers read it with `context.get(...)`. */
export interface AppEnv {
  /** Node's own request and response; absent in tests that call `app.request`. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Address of the visitor's machine, as far as it can be trusted: the connection's, or our proxy's word. */
    clientAddress: string;
    /** Brand, member and origin; set on every route that belongs to a brand (pages, /go, /art), not on health, metrics and webhooks. */
    visit: Visit;
  };
}

export type { SignedInMember, Visit };
