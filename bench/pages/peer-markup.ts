import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const peer = path.resolve(import.meta.dirname, "../peers/next");
const output = path.resolve(import.meta.dirname, "../../.cache/bench/peer-markup.mjs");

/** What the peer imports of Next: a visitor without a cookie, on localhost. */
const NEXT = `
export const headers = async () => new Headers({ host: "localhost" });
export const cookies = async () => new Map();
export const notFound = () => { throw new Error("The peer found no such page."); };
`;

/** Pages of the peer by the first part of their address; renderToStaticMarkup does not wait for components that are async. */
const ENTRY = `
import { renderToStaticMarkup } from "react-dom/server";
import Layout from "./app/layout.tsx";
import Category from "./app/categories/[slug]/page.tsx";
import Offer from "./app/offers/[slug]/page.tsx";
import Search from "./app/search/page.tsx";
import { db } from "./visit.ts";

const pages = { categories: Category, offers: Offer, search: Search };

export async function render(address) {
  const url = new URL(address, "http://localhost");
  const [, first, slug] = url.pathname.split("/");
  const page = await pages[first]({ params: Promise.resolve({ slug }), searchParams: Promise.resolve(Object.fromEntries(url.searchParams)) });
  return renderToStaticMarkup(await Layout({ children: page }));
}
export const close = () => db.destroy();
`;

export interface PeerMarkup {
  /** Returns the HTML of the peer's page at an address, for a visitor. */
  render(address: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Renders the Next peer's pages with React alone. Next is installed only where it is measured, so without this CI would not see
 * that the peer's pages are no longer as long as ours.
 */
export async function openPeerMarkup(databaseUrl: string): Promise<PeerMarkup> {
  mkdirSync(path.dirname(output), { recursive: true });
  const bundle = await rolldown({
    input: "peer-markup",
    cwd: peer,
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("next/") && !path.isAbsolute(id) && id !== "peer-markup",
    tsconfig: false, // the peer's own leaves JSX as it is, for Next
    transform: { jsx: "react-jsx" },
    // "use client" means nothing here.
    onLog: (level, log, handle) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : handle(level, log)),
    plugins: [
      {
        name: "stand-ins",
        resolveId: (id) =>
          id === "peer-markup"
            ? path.join(peer, "entry.tsx")
            : id.startsWith("next/")
              ? path.join(peer, "next.js")
              : null,
        load: (id) => (id === path.join(peer, "entry.tsx") ? ENTRY : id === path.join(peer, "next.js") ? NEXT : null),
      },
    ],
  });
  await bundle.write({ file: output });
  await bundle.close();
  process.env["DATABASE_URL"] = databaseUrl;
  return (await import(pathToFileURL(output).href)) as PeerMarkup;
}
