import { may, rolesWith, roleWords, type Permission } from "@farthing/core/operators/permissions.ts";
import { data, type MiddlewareFunction, redirect } from "react-router";
import { factsOfPattern } from "../pages.ts";
import { operatorContext, visitContext } from "./admin-context.ts";

/** Why a page was not shown, in words for a person. */
export interface Refusal {
  title: string;
  text: string;
  /** What was posted by somebody whose session had ended: they send it again once they have signed in. */
  unsent?: { action: string; fields: [name: string, value: string][] };
}

export const refused = (status: number, refusal: Refusal) => data(refusal, { status });

export const NOT_PERMITTED: Refusal = {
  title: "This is not part of your role",
  text: "Your role does not include this page. If you need it for your work, ask an owner to change your role.",
};

/** The refusal of a page, with who can help: often a colleague has the role. */
function notPermitted(permission: Permission): Refusal {
  const names = rolesWith(permission).map((role) => roleWords[role].name);
  return { ...NOT_PERMITTED, text: `${NOT_PERMITTED.text} Roles with this page: ${names.join(", ")}.` };
}

/**
 * Lets only those into a page whom pages.ts names: strangers go to the sign-in and back, operators without the permission
 * get 403. A page without `change` takes no posts. A form that is posted after its session has ended comes back, to be sent again: posts of
 * other sites do not get here (apps/server/admin/admin-routes.ts).
 */
export const guard: MiddlewareFunction<Response> = async ({ context, pattern, request }, next) => {
  const { file, see, change } = factsOfPattern(pattern);
  const { operator } = context.get(visitContext);
  const isReading = request.method === "GET" || request.method === "HEAD";
  const access = isReading ? see : change;
  if (access === undefined)
    throw refused(405, {
      title: "Nothing to send here",
      text: "This page shows something; nothing can be sent to it.",
    });
  if (access === "anyone") return await next();
  if (operator?.step !== "open") {
    if (access === "half" && operator) return await next();
    const hasPage = file.endsWith(".tsx");
    if (!isReading && hasPage && access !== "half" && access !== "operator") {
      const unsent = await unsentOf(request);
      if (unsent) throw refused(401, { ...SESSION_ENDED, unsent });
    }
    throw operator ? redirect(`/admin/sign-in/${operator.step}`, 303) : redirect(signInPath(request, isReading), 303);
  }
  if (access === "half") throw redirect("/admin", 303);
  if (access !== "operator") {
    const permission = access as Permission;
    if (!may(operator.role, permission)) throw refused(403, notPermitted(permission));
  }
  context.set(operatorContext, operator);
  return await next();
};

const SESSION_ENDED: Refusal = {
  title: "Your session has ended",
  text: "Nothing was saved, and nothing is lost: this page keeps what you typed. Sign in in another tab, then send it from here.",
};

/** Returns the fields of a posted form; null where there is no text to lose, or where it has a file, which no page can keep. */
async function unsentOf(request: Request): Promise<Refusal["unsent"] | null> {
  if (!request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return null;
  const fields = [...new URLSearchParams(await request.text())];
  const { pathname, search } = new URL(request.url);
  return fields.length === 0 ? null : { action: pathname + search, fields };
}

function signInPath(request: Request, isReading: boolean): string {
  const { pathname, search } = new URL(request.url);
  const next = isReading ? pathname + search : pathname;
  return next === "/admin" ? "/admin/sign-in" : `/admin/sign-in?next=${encodeURIComponent(next)}`;
}
