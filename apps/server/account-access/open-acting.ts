import { act } from "@farthing/core/audit/act.server.ts";
import { findActing, noteActedRequest, type Acting } from "@farthing/core/account-access/acting.server.ts";
import { NotPermittedError } from "@farthing/core/audit/act.server.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Db } from "@farthing/db/client.ts";
import type { ActingVisit } from "@farthing/site/server/visit.ts";
import { hostCookie } from "../http/host-cookie.ts";
import { ACTING_COOKIE } from "../pages/page-cache.ts";
import { sessionTokenOf, signedCookie } from "../sign-in/session-cookie.ts";

/** Longer than any session: the page that says "it is over" needs the cookie. */
const COOKIE_SECONDS = 12 * 60 * 60;

export interface ActingOptions {
  db: Db;
  publicScheme: "http" | "https";
  /** Signs the cookie, as that of members' sessions is signed. */
  key: string;
  now(): Date;
}

/** Sessions in which an operator sees a brand's site as a member (A3). */
export interface ActingSessions {
  /** Returns who acts in a request with these cookies: `over` for a session that has ended, null for none. */
  of(brand: Brand, cookieHeader: string | null | undefined): Promise<Acting | "over" | null>;
  /** Writes a request into the audit log before it is answered. False: the session has ended meanwhile. */
  note(
    acting: ActingVisit,
    noted: { what: "see" | "change" | "refuse"; request: string; requestId: string },
  ): Promise<boolean>;
  setCookie(token: string): string;
  clearCookie(): string;
}

/** The cookie of its own keeps it apart from the operator's session and from any member's. */
export function openActing({ db, publicScheme, key, now }: ActingOptions): ActingSessions {
  const cookie = hostCookie(ACTING_COOKIE, { publicScheme });
  return {
    async of(brand, cookieHeader) {
      if (cookie.valueIn(cookieHeader) === null) return null;
      const token = sessionTokenOf(cookieHeader, cookie, key);
      return (token && (await findActing(db, { brandId: brand.id, token, now: now() }))) || "over";
    },
    async note({ publicId, operator }, { what, request, requestId }) {
      const at = now();
      const actor = { operator: { id: operator.id, email: operator.email }, requestId, now: at };
      const noted = {
        permission: "members.act-as",
        action: `account-access.${what}`,
        subject: { type: "account-access", id: publicId },
      } as const;
      try {
        return await act(db, actor, noted, (joined) => noteActedRequest(joined, { publicId, what, request, now: at }));
      } catch (error) {
        if (error instanceof NotPermittedError) return false;
        throw error;
      }
    },
    setCookie: (token) => signedCookie(cookie, token, key, COOKIE_SECONDS),
    clearCookie: () => cookie.clear(),
  };
}
