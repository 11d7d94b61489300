import type { Brand } from "@farthing/core/brands/brand.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import { htmlPage, testApp } from "./app.testing.ts";

const brand = (slug: string) => ({ id: slug, slug, name: slug }) as Brand;
export const one = brand("one");
export const two = brand("two");
const member: SignedInMember = {
  id: "m1",
  sessionId: "s1",
  name: "Robin",
  email: "robin@one.test",
  verification: "verified",
};

/** Know one member, whose session is "good". */
export const accounts = {
  memberOf: async (_: Brand, cookie: string | null | undefined) =>
    cookie?.includes("farthing_session=good") ? member : null,
};

/** Returns the app's bindings for a connection from this address. */
export const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } }) as never;

/** Opens the app for two brands around a site whose pages name their visitor, so that a leak shows. */
export function openTinySite() {
  let renderings = 0;
  async function tinySite(request: Request, visit: Visit): Promise<Response> {
    if (visit.refusal) {
      const { status, title, text } = visit.refusal;
      return htmlPage(`${title} at ${visit.brand.slug}, for ${visit.member?.name ?? "a stranger"}. ${text}`, visit, {
        status,
      });
    }
    renderings += 1;
    const { pathname } = new URL(request.url);
    if (pathname === "/broken") throw new Error("secret detail of the failure");
    if (pathname === "/gone") return htmlPage("Nothing here", visit, { status: 404 });
    if (pathname === "/form") return htmlPage("Form", visit, { headers: { "Cache-Control": "no-store" } });
    if (pathname === "/login" && request.method === "POST") {
      const next = new URLSearchParams(await request.text()).get("next") ?? "/";
      return new Response(null, {
        status: 303,
        headers: { Location: next, "Set-Cookie": "farthing_session=new; HttpOnly" },
      });
    }
    const cookie = request.headers.get("cookie") ?? "none";
    return htmlPage(
      `rendering ${renderings} of ${visit.brand.slug}${pathname} for ${visit.member?.name ?? "a stranger"}, cookies ${cookie}, origin ${visit.origin}`,
      visit,
    );
  }

  const { app, lines, clock } = testApp([one, two], tinySite, { accounts });
  return {
    tinySite,
    app,
    lines,
    clock,
    /** Returns the number of pages that the site has rendered, without refusals. */
    countRenderings: () => renderings,
    get: (path: string, headers: Record<string, string> = {}, host = "one.test") =>
      app.request(`http://${host}${path}`, { headers: { host, ...headers } }),
    post: (path: string, headers: Record<string, string> = {}, body = "a=b") =>
      app.request(`http://one.test${path}`, {
        method: "POST",
        body,
        headers: { host: "one.test", "content-type": "application/x-www-form-urlencoded", ...headers },
      }),
  };
}
