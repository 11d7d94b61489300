import { Hono } from "hono";
import { html } from "hono/html";
import type { Html } from "../pages/plain-page.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";

/** A push of a page's data layer, as the stand-in's script has reported it. */
interface SeenPush {
  container: string;
  page: string;
  entry: Record<string, unknown>;
}

const MAX_SEEN = 200;
const MAX_BYTES = 4_096;

/**
 * What a page loads as gtm.js. It reads the data layer as the real one does, reports each push to this sandbox, and leaves a cookie and an entry in local
 * storage behind, as tags do.
 */
const SCRIPT = `(() => {
  const { src } = document.currentScript;
  const container = new URL(src).searchParams.get("id");
  const tell = (entry) =>
    navigator.sendBeacon(
      new URL("/tag-manager/pushes", src),
      new Blob([JSON.stringify({ container, page: location.href, entry })], { type: "text/plain" }),
    );
  const layer = (window.dataLayer ??= []);
  layer.forEach(tell);
  layer.push = (...entries) => {
    entries.forEach(tell);
    return Array.prototype.push.apply(layer, entries);
  };
  document.cookie = "_sandbox_tag=1; Path=/; Max-Age=86400";
  localStorage.setItem("_sandbox_tag", "1");
})();
`;

/** The tag manager: its script, and a page that shows what it has read (T4). Pushes are kept in memory. */
export function tagManager(): { script: Hono; pages: Hono } {
  const seen: SeenPush[] = [];
  // Other sites' pages call these two; refuse-foreign-posts.ts guards the rest of the sandbox.
  const script = new Hono();
  script.get("/gtm.js", (context) =>
    context.body(SCRIPT, 200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" }),
  );
  script.post("/pushes", async (context) => {
    const push = readPush(await context.req.text());
    if (push === null) return context.text("This is no push.", 400);
    seen.unshift(push);
    seen.length = Math.min(seen.length, MAX_SEEN);
    return context.body(null, 204);
  });
  const pages = new Hono();
  pages.get("/pushes", (context) => context.json(seen));
  pages.get("/", (context) =>
    context.html(sandboxFrame({ title: "Tags", path: "/tag-manager", body: pushesPage(seen) })),
  );
  return { script, pages };
}

function readPush(text: string): SeenPush | null {
  if (text.length > MAX_BYTES) return null;
  try {
    const { container, page, entry } = JSON.parse(text) as Partial<Record<keyof SeenPush, unknown>>;
    if (typeof container !== "string" || typeof page !== "string" || typeof entry !== "object" || !entry) return null;
    return { container, page, entry: entry as SeenPush["entry"] };
  } catch {
    return null;
  }
}

function pushesPage(seen: readonly SeenPush[]): Html {
  return html`<h1>Tags</h1>
    <p class="lead">
      What the tag manager has read in the data layer of pages whose visitors agreed to tags, newest first. Load this
      page again to see more.
    </p>
    ${
      seen.length === 0
        ? html`<p>Nothing yet. Open a members' site, accept the cookies, and click on an offer.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Fields</th>
                <th scope="col">Page</th>
              </tr>
            </thead>
            <tbody>
              ${seen.map(
                ({ page, entry: { event, ...fields } }) =>
                  html`<tr>
                    <td>${String(event)}</td>
                    <td>${JSON.stringify(fields)}</td>
                    <td>${page}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }`;
}
