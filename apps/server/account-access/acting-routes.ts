import { findTicket, startActing, type Ticket } from "@farthing/core/account-access/acting.server.ts";
import { endAccessRequest } from "@farthing/core/account-access/request-access.server.ts";
import { act, NotPermittedError } from "@farthing/core/audit/act.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { plainPage } from "../http/plain-page.ts";
import type { ActingSessions } from "./open-acting.ts";

export interface ActingRouteParts {
  db: Db;
  acting: ActingSessions;
  now(): Date;
}

/** So that no other site gets the ticket in its address. */
const secret = { "Referrer-Policy": "same-origin" };

/**
 * /acting?ticket=…, where the link of the admin leads: reading it says what will begin, and posting begins it, so that a
 * preview of the link begins nothing. POST /acting/stop ends it. The links come from the admin, because its sessions are
 * for /admin only and may be on another host.
 */
export function actingRoutes({ db, acting, now }: ActingRouteParts): Hono<AppEnv> {
  async function ticketOf(context: Context<AppEnv>, ticket: string): Promise<Ticket | Response> {
    const { brand, member, acting: current } = context.get("visit");
    if (current) return busy("You are acting as a member already", "Stop that first, with the button at the top.");
    // Two people in one browser: a form that was opened as one could be sent as the other.
    if (member)
      return busy("You are logged in here as a member", "Log out first, or open the link in a private window.");
    return (await findTicket(db, { brandId: brand.id, ticket, now: now() })) ?? spent();
  }

  return new Hono<AppEnv>()
    .get("/acting", async (context) => {
      const ticket = context.req.query("ticket") ?? "";
      const found = await ticketOf(context, ticket);
      if (found instanceof Response) return found;
      return plainPage({
        status: 200,
        title: `Act as ${found.memberName}?`,
        text: `You see the site as this member for up to 30 minutes. Each page that you open is in the audit log, and the member sees that you looked. What is theirs alone stays closed.`,
        controller: "acting",
        form: { action: "/acting", button: "Start", fields: { ticket } },
        headers: secret,
      });
    })
    .post("/acting", async (context) => {
      const { ticket } = await context.req.parseBody();
      const token = typeof ticket === "string" ? ticket : "";
      const found = await ticketOf(context, token);
      if (found instanceof Response) return found;
      const session = await inTheLog(context, found, "account-access.start", (joined) =>
        startActing(joined, { brandId: context.get("visit").brand.id, ticket: token, now: now() }),
      );
      if (session === null) return spent();
      return new Response(null, {
        status: 303,
        headers: { Location: "/", "Set-Cookie": acting.setCookie(session), "Cache-Control": "no-store" },
      });
    })
    .post("/acting/stop", async (context) => {
      const { acting: current } = context.get("visit");
      if (current)
        await inTheLog(context, current, "account-access.stop", async (joined) => {
          const ending = { publicId: current.publicId, whose: { operatorId: current.operator.id } };
          return (await endAccessRequest(joined, { ...ending, by: "operator", now: now() })) || null;
        });
      return plainPage({
        status: 200,
        title: "You have stopped",
        text: "You are not acting as a member any more.",
        controller: "acting",
        link: {
          href: current ? `/admin/members/${current.memberId}/access` : "/admin/members",
          label: "Back to the admin",
        },
        headers: { "Set-Cookie": acting.clearCookie() },
      });
    });

  /** Does it in a transaction with its entry in the log; null where nothing changed or the operator may not any more. */
  async function inTheLog<Result>(
    context: Context<AppEnv>,
    { publicId, operator }: Pick<Ticket, "publicId" | "operator">,
    action: "account-access.start" | "account-access.stop",
    change: (joined: Db) => Promise<Result | null>,
  ): Promise<Result | null> {
    const actor = { operator, requestId: context.get("requestId"), now: now() };
    const subject = { type: "account-access", id: publicId } as const;
    try {
      return await act(db, actor, { permission: "members.act-as", action, subject }, change);
    } catch (error) {
      if (error instanceof NotPermittedError) return null;
      throw error;
    }
  }
}

function busy(title: string, text: string): Response {
  return plainPage({ status: 409, title, text, controller: "acting", headers: secret });
}

function spent(): Response {
  return plainPage({
    status: 410,
    title: "This link works no more",
    text: "It works once, for five minutes, and only while the member’s yes holds and you are signed in to the admin. Go back to the member’s page in the admin and get another.",
    controller: "acting",
    link: { href: "/admin/members", label: "Back to the admin" },
    headers: secret,
  });
}
