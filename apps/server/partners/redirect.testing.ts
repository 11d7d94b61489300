import { createHash } from "node:crypto";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { htmlPage } from "../app.testing.ts";
import { frameServer, setCookieOf } from "./frames.testing.ts";

/** Returns a server of frames for one partner with two origins, its small site, and the requests that the site was asked for. */
export async function redirectServer(db: Db) {
  const asked: { url: string; cookie: string | null; authorization: string | null }[] = [];
  const partner = await makePartner(db, {
    name: "Larder Lane",
    origins: ["https://shop.example", "https://two.example"],
  });

  /** A site that names the visitor it rendered for, so that a leak shows, and records its requests. */
  async function site(request: Request, visit: Visit): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { headers } = request;
    asked.push({ url: request.url, cookie: headers.get("cookie"), authorization: headers.get("authorization") });
    if (pathname === "/search/moved") return Response.redirect(new URL("/pay/there?a=1", request.url), 302);
    if (pathname === "/search/moved-path")
      return new Response(null, { status: 302, headers: { Location: "/pay/there" } });
    if (pathname === "/search/away")
      return new Response(null, { status: 302, headers: { Location: "https://evil.example/" } });
    if (pathname === "/search/to-login")
      return new Response(null, { status: 302, headers: { Location: "/login?next=/" } });
    if (pathname === "/search/loop") return new Response(null, { status: 302, headers: { Location: "/search/loop" } });
    if (pathname === "/search/broken") throw new Error("the page failed");
    if (pathname === "/search/nothing") return htmlPage("No such page", visit, { status: 404 });
    const widget = visit.widget ? JSON.stringify(visit.widget) : "no widget";
    return htmlPage(`${pathname}${search} for ${visit.member?.name ?? "a stranger"}, ${widget}`, visit);
  }

  const server = frameServer(db, site);
  const { get, mint, address } = server;

  async function openFrame(path = "/pay") {
    const token = await mint(partner);
    const response = await get(address(path, token));
    const html = await response.clone().text();
    return { token, response, html, bearer: setCookieOf(response)?.value ?? "" };
  }

  return { ...server, partner, asked, site, openFrame };
}

/** Returns a directive of the answer's Content-Security-Policy. */
export const directive = (response: Response, name: string) =>
  response.headers
    .get("content-security-policy")
    ?.split("; ")
    .find((part) => part.startsWith(`${name} `));

/** Returns what an error page in a frame tells the page around it; null if its policy would not let the script run. */
export function reportOf(html: string, response?: Response) {
  const [, script = ""] = /<script>(.*?)<\/script>/.exec(html) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  if (response && !directive(response, "script-src")?.includes(`'sha256-${hash}'`)) return null;
  const [, status, reason, to] =
    /^\(.*identifier:"load-error".*status:(\d+),reason:"([a-z-]+)".*,"(https:[^"]+|\*)"\)\)\(/.exec(script) ?? [];
  return { status: Number(status), reason, to };
}
