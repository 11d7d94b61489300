import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as plainRequest, type IncomingMessage } from "node:http";
import { pageEntries as adminPages } from "@farthing/admin/pages.ts";
import { pageEntries } from "@farthing/site/pages.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { nginxFile, type Proxy, runProxy, servedClub, testForwarding, textOf } from "./proxied-club.testing.ts";

// Runs the files of deploy/proxies as they are, in front of the real listener.

const read = (name: string) => readFileSync(new URL(`../../../deploy/proxies/${name}`, import.meta.url), "utf8");

const MEGABYTE = 1024 * 1024;
/** Each page of the site and of the admin that takes a file, as an address. */
const uploadPaths = [...pageEntries, ...adminPages]
  .filter(([, facts]) => "multipart" in facts && facts.multipart === "file")
  .map(([path]) => path.replaceAll(/:[a-zA-Z]+/g, "x"));

/** What the proxy's checks of /readyz were answered. */
let checks: number[] = [];
/** Posts are answered with the bytes that came through, /busy with 503, and everything else as the server does. */
const club = servedClub((listener) => (incoming, answer) => {
  if (incoming.url === "/readyz") answer.on("finish", () => checks.push(answer.statusCode));
  // As the site answers a page while too many wait to be rendered.
  if (incoming.url === "/busy") return answer.writeHead(503, { "retry-after": "2" }).end();
  if (incoming.method !== "POST") return listener(incoming, answer);
  let bytes = 0;
  incoming.on("data", (part: Buffer) => (bytes += part.length));
  incoming.on("end", () => answer.end(`took ${bytes}`));
  incoming.on("error", () => answer.destroy());
});

/** `asksReady`: nginx notices by the requests themselves. */
const proxies: (Proxy & { file: string; asksReady: boolean })[] = [
  {
    name: "haproxy",
    file: "haproxy.cfg",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      text
        .replace(/127\.0\.0\.1:30[01]0/g, `127.0.0.1:${upstream}`)
        // A busy machine misses a check a second; here no number of them takes the server out.
        .replace("check inter 1s fall 1", "check inter 1s fall 1000")
        // Only root may become another account.
        .replace(/^ {2}(?:user|group) haproxy$/gm, "")
        .replace("bind :80", `bind 127.0.0.1:${http}`)
        .replace("bind :443", `bind 127.0.0.1:${https}`)
        .replace("/etc/haproxy/certificates/", certificate),
    args: (file) => ["-db", "-f", file],
    asksReady: true,
  },
  {
    name: "nginx",
    file: "nginx.conf",
    adapt: (text, places) => nginxFile(text, places).replace(/127\.0\.0\.1:30[01]0/g, `127.0.0.1:${places.app}`),
    args: (file, { folder }) => ["-p", folder, "-c", file],
    asksReady: false,
  },
  {
    name: "caddy",
    file: "Caddyfile",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      `{\n  admin off\n  skip_install_trust\n  http_port ${http}\n  https_port ${https}\n}\n${text}`
        .replace(
          "club.example, www.club.example {",
          `club.example {\n  bind 127.0.0.1\n  tls ${certificate} ${certificate}`,
        )
        .replace("health_interval 1s", "health_interval 10m")
        .replace("127.0.0.1:3000 127.0.0.1:3010", `127.0.0.1:${upstream}`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
    asksReady: true,
  },
];

describe.each(proxies)("deploy/proxies with $name", ({ file, asksReady, ...proxy }) => {
  beforeAll(() => {
    checks = [];
  });
  const running = runProxy(club, proxy, read(file));
  testForwarding(running);

  /** Begins a post of this many bytes, and sends them unless it is only announced. Returns the status and text. */
  async function post(path: string, bytes: number, { isOnlyAnnounced = false } = {}) {
    const sent = running.begin({
      path,
      method: "POST",
      headers: { host: "club.example", "content-length": String(bytes), "content-type": "application/octet-stream" },
    });
    if (isOnlyAnnounced) sent.flushHeaders();
    else sent.end(Buffer.alloc(bytes));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const text = isOnlyAnnounced ? "" : await textOf(answer);
    sent.on("error", () => {}).destroy();
    return { status: answer.statusCode, text };
  }
  const refuses = async (path: string, bytes: number) =>
    expect((await post(path, bytes, { isOnlyAnnounced: true })).status, path).toBe(413);

  test("S1 plain http is redirected to TLS, with its address", async (context) => {
    running.needed(context);
    const sent = plainRequest({
      ...{ host: "127.0.0.1", port: running.places().http, path: "/offers?sort=new", agent: false },
      headers: { host: "club.example" },
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location?.replace(`:${running.places().https}`, "")).toBe(
      "https://club.example/offers?sort=new",
    );
  });

  test("R2 its checks of /readyz are answered: no server that is ready is taken out", async (context) => {
    running.needed(context);
    if (!asksReady) return context.skip(`${proxy.name} asks nothing by itself`);
    await expect.poll(() => checks).toContain(200);
    expect(checks.filter((status) => status !== 200)).toEqual([]);
  });

  test("R2 a page that is answered 503 because many wait is passed on, and takes the site from nobody", async (context) => {
    running.needed(context);
    for (let times = 0; times < 4; times += 1) {
      const busy = await running.ask("/busy");
      expect({ status: busy.status, retryAfter: busy.headers["retry-after"] }).toEqual({
        status: 503,
        retryAfter: "2",
      });
    }
    expect((await running.ask("/")).status).toBe(200);
  });

  test("M4 S1 files of 20 MB pass on every page that takes one; larger bodies, and large ones elsewhere, are refused", async (context) => {
    running.needed(context);
    expect(uploadPaths).toContain("/verification");
    for (const path of uploadPaths)
      expect(await post(path, 5 * MEGABYTE), path).toEqual({ status: 200, text: `took ${5 * MEGABYTE}` });
    expect(await post("/verification", 20 * MEGABYTE)).toEqual({ status: 200, text: `took ${20 * MEGABYTE}` });
    for (const path of uploadPaths) await refuses(path, 21 * MEGABYTE + 1);
    await refuses("/login", 2 * MEGABYTE);
    expect(await post("/login", 1000)).toEqual({ status: 200, text: "took 1000" });
  });
});

test("R2 nginx counts no answers against its servers, also where it is not installed to show it", () => {
  const servers = read("nginx.conf").match(/^ +server 127\.0\.0\.1:.*$/gm);
  expect(servers).toHaveLength(2);
  for (const server of servers ?? []) expect(server).toMatch(/ max_fails=0;$/);
});
