import type { RequestListener, Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { CreateSite, Site, SiteServices } from "@farthing/site/server/site-handler.ts";

export interface DevPages {
  site: Site;
  /** Answers Vite's requests (sources, hot reload) and passes all others on. */
  around(listener: RequestListener): RequestListener;
  close(): Promise<void>;
}

/**
 * Opens the site from its sources, with hot reload (npm run dev). Vite is imported here only, because production does
 * not need it.
 */
export async function openDevPages({
  server,
  services,
}: {
  server: Server;
  services: SiteServices;
}): Promise<DevPages> {
  const { load, around, close } = await openSourcePages<{ createSite: CreateSite }>({
    server,
    folder: "site",
    entry: "/server/create-site.ts",
  });
  const loadSite = async () => (await load()).createSite(services);
  const additionalFieldsMarkup: Site["additionalFieldsMarkup"] = async (fields) =>
    (await loadSite()).additionalFieldsMarkup(fields);
  return {
    site: Object.assign(async (...[request, visit]: Parameters<Site>) => (await loadSite())(request, visit), {
      additionalFieldsMarkup,
    }),
    around,
    close,
  };
}

export interface SourcePages<Entry> extends Pick<DevPages, "around" | "close"> {
  /** Loads the app's entry. Call it per request: Vite answers from its module graph and loads again only what has changed. */
  load(): Promise<Entry>;
}

/** Opens an app (apps/<folder>) from its sources, on the server's own port. */
export async function openSourcePages<Entry>({
  server,
  folder,
  entry,
}: {
  server: Server;
  folder: string;
  entry: string;
}): Promise<SourcePages<Entry>> {
  const { createServer } = await import("vite");
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const ownListeners = process.listeners("SIGTERM");
  const vite = await createServer({ root, appType: "custom", server: { middlewareMode: true, hmr: { server } } });
  // Vite would end the process at SIGTERM before the database is stopped; main.ts ends it in order.
  for (const listener of process.listeners("SIGTERM"))
    if (!ownListeners.includes(listener)) process.off("SIGTERM", listener);
  containUpgrades(server);
  return {
    load: async () => (await vite.ssrLoadModule(entry)) as Entry,
    around: (listener) => (request, response) => vite.middlewares(request, response, () => listener(request, response)),
    close: () => vite.close(),
  };
}

/**
 * Vite parses the address of every web socket outside a request handler. A malformed one must end that connection, not
 * the process.
 */
function containUpgrades(server: Server): void {
  for (const listener of server.listeners("upgrade") as ((...parts: unknown[]) => void)[]) {
    server.off("upgrade", listener);
    server.on("upgrade", (request, socket, head) => {
      try {
        listener.call(server, request, socket, head);
      } catch {
        socket.destroy();
      }
    });
  }
}
