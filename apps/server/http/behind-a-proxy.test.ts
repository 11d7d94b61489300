import { readFileSync } from "node:fs";
import { describe } from "vitest";
import { nginxFile, type Proxy, runProxy, servedClub, testForwarding } from "./proxied-club.testing.ts";

// Runs the examples of docs/operations/behind-a-proxy.md in front of the real listener.

const page = readFileSync(new URL("../../../docs/operations/behind-a-proxy.md", import.meta.url), "utf8");
const example = (language: string) => new RegExp("```" + language + "\n([^]*?)```").exec(page)?.[1] ?? "";
const club = servedClub();

const proxies: Proxy[] = [
  {
    name: "nginx",
    adapt: (text, places) => nginxFile(text, places).replaceAll("127.0.0.1:3000", `127.0.0.1:${places.app}`),
    args: (file, { folder }) => ["-p", folder, "-c", file],
  },
  {
    name: "haproxy",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      text
        .replace(/127\.0\.0\.1:300[01]/g, `127.0.0.1:${upstream}`)
        // A busy machine may take its time for a check.
        .replace("timeout check 5s", "timeout check 5m")
        .replace("bind :80", `bind 127.0.0.1:${http}`)
        .replace("bind :443", `bind 127.0.0.1:${https}`)
        .replace("/etc/ssl/club.example.pem", certificate),
    args: (file) => ["-db", "-f", file],
  },
  {
    name: "caddy",
    adapt: (text, { app: upstream, https, certificate }) =>
      `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n${text}`
        .replace(
          "club.example, www.club.example {",
          `https://club.example:${https} {\n  tls ${certificate} ${certificate}`,
        )
        .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

describe.each(proxies)("S1 behind $name as documented", (proxy) => {
  testForwarding(runProxy(club, proxy, example(proxy.name)));
});
