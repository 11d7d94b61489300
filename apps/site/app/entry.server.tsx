import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import { ScriptContext } from "./page-script.tsx";
import { keepRenderedPage } from "./rendered-pages.ts";
import { servicesContext, visitContext } from "./site-context.ts";

/** A page that takes longer is aborted. */
const RENDER_TIMEOUT_MS = 10_000;

/**
 * Renders a page as one complete document. The server caches pages, so streaming a part later would gain nothing. Every
 * inline script carries the visit's nonce, which the server replaces with hashes in the content security policy.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const { nonce } = context.get(visitContext);
  const { entry, hmr } = entryContext.manifest;
  const page = await renderPage(
    <ScriptContext value={{ nonce, entry: entry.module, hotReload: hmr?.runtime }}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
    </ScriptContext>,
    nonce,
    (error) => handleError(error, { request, context, params: {} } as Parameters<HandleErrorFunction>[1]),
  );
  return keepRenderedPage(page, { status, headers });
}

/**
 * Renders the element. `onError` receives errors inside a boundary, while the page goes on. An error of the whole page
 * rejects the promise, and the router reports it.
 */
function renderPage(element: React.ReactNode, nonce: string, onError: (error: unknown) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let hasShell = false;
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks).toString());
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(element, {
      nonce,
      // No part is moved into place by script afterwards, however long the page is.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady: () => (hasShell = true),
      onAllReady: () => pipe(sink),
      // Without this handler React writes to the console, past the log.
      onError: (error) => {
        if (hasShell) onError(error);
      },
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error("The page could not be rendered.", { cause: error }));
      },
    });
    const timer = setTimeout(() => abort(new Error("The page took too long to render.")), RENDER_TIMEOUT_MS);
  });
}

/** Reports errors of loaders and components to the server's log. Aborted requests are not errors. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  const { reportError } = context.get(servicesContext);
  if (reportError) reportError(error, context.get(visitContext));
  else console.error(error);
};
