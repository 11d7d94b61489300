import type { HttpBindings } from "@hono/node-server";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";

/** What the server knows about a request before a route's handler runs; handlers read it with `context.get(...)`. */
export interface AppEnv {
  /** Node's own request and response; absent in tests that call `app.request`. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Address of the visitor's machine: the connection's, or what a trusted proxy reports. */
    clientAddress: string;
    /**
     * Brand, member and origin; set on routes that belong to a brand (pages, /go, /brand), not on health, metrics,
     * webhooks and /art.
     */
    visit: Visit;
    /** Who is signed in to the admin, for the log; set on its routes. */
    operatorId: string | undefined;
  };
}

export type { SignedInMember, Visit };
