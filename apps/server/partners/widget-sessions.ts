import {
  resolveWidgetSession,
  WIDGET_SESSION_MS,
  type WidgetSession,
} from "@farthing/core/partners/widget-session.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { hostCookie } from "../http/host-cookie.ts";
import type { HeaderReader } from "../http/request-origin.ts";

export interface WidgetSessions {
  /** The widget session of a request, and how it was proved; null where there is none. */
  of(header: HeaderReader): Promise<ProvedSession | null>;
  /** The secret in the widget's cookie; null where there is none. */
  secretIn(cookieHeader: string | undefined): string | null;
  /** Set-Cookie for a session that has just been opened. */
  setCookie(bearer: string): string;
}

export interface ProvedSession {
  session: WidgetSession;
  /** A cookie goes along by itself, so what changes something must also prove that it was sent by a page of ours (foreign-posts.ts). */
  by: "bearer" | "cookie";
}

/**
 * Finds the widget session of requests, by "Authorization: Bearer …" or else by the widget's cookie. The cookie is for frames in foreign pages: partitioned
 * (CHIPS), so that each partner's site has a jar of its own, and Secure, which browsers take from http://localhost too.
 */
export function widgetSessions(options: { db: Db; publicScheme: "http" | "https"; now(): Date }): WidgetSessions {
  const { db, publicScheme, now } = options;
  const sessionCookie = hostCookie("widget", { publicScheme, isForFrames: true });
  return {
    async of(header) {
      const bearer = bearerOf(header("authorization"));
      const cookie = bearer === null ? sessionCookie.valueIn(header("cookie")) : null;
      if (bearer === null && cookie === null) return null;
      const session = await resolveWidgetSession(db, { cookie, bearer, now: now() });
      return session && { session, by: bearer === null ? "cookie" : "bearer" };
    },
    secretIn: (cookieHeader) => sessionCookie.valueIn(cookieHeader),
    setCookie: (bearer) => sessionCookie.set(bearer, WIDGET_SESSION_MS / 1000),
  };
}

/** What follows "Bearer " (RFC 6750), or null. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
