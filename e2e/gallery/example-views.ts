import { get } from "node:http";
import type { View } from "./views.ts";

/** Returns a view for each page that the list of examples at `url` links. */
export async function exampleViews(url: string): Promise<View[]> {
  const html = await textAt(url);
  return [...html.matchAll(/href="(\/examples\/([^"]+))"/g)].map(([, path = "", name = ""]) => ({
    name: `example-${name.replaceAll("/", "-")}`,
    path,
    isExample: true,
    widths: [375, 1440],
  }));
}

/** Reads a page at 127.0.0.1 under the host name of its address: not every resolver knows names below localhost. */
function textAt(url: string): Promise<string> {
  const { host, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: pathname, headers: { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
      response.on("error", reject);
    }).on("error", reject);
  });
}
