import {
  resolveWidgetSession,
  WIDGET_SESSION_MS,
  type WidgetSession,
} from "@farthing/core/partners/widget-session.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { HeaderReader } from "../http/request-origin.ts";

export interface WidgetSessions {
  /** The widget session of a request, and how it was proved; null where there is none. */
  of(header: HeaderReader): Promise<ProvedSession | null>;
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
  const name = publicScheme === "https" ? "__Host-farthing_widget" : "farthing_widget";
  const attributes = `Path=/; HttpOnly; Secure; SameSite=None; Partitioned; Max-Age=${WIDGET_SESSION_MS / 1000}`;
  return {
    async of(header) {
      const bearer = bearerOf(header("authorization"));
      const cookie = bearer === null ? cookieOf(header("cookie"), name) : null;
      if (bearer === null && cookie === null) return null;
      const session = await resolveWidgetSession(db, { cookie, bearer, now: now() });
      return session && { session, by: bearer === null ? "cookie" : "bearer" };
    },
    setCookie: (bearer) => `${name}=${bearer}; ${attributes}`,
  };
}

/** What follows "Bearer " (RFC 6750), or null. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
