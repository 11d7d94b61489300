import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import { NonceContext } from "./nonce-context.ts";
import { keepRenderedPage } from "./rendered-pages.ts";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";
import { servicesContext, visitContext } from "./site-context.ts";

/** A page that is not rendered by then never will be. */
const renderTimeoutMs = 10_000;

/**
 * Renders a page as one complete document: pages are kept in the server's cache, so a part that comes later would be no gain.
 * Every inline script carries the visit's nonce, which the server turns into hashes of the content security policy.
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
  const page = await renderPage(
    <NonceContext value={nonce}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    nonce,
    (error) => handleError(error, { request, context, params: {} } as Parameters<HandleErrorFunction>[1]),
  );
  return keepRenderedPage(scriptsAfterPaint(page), { status, headers });
}

/** `onError` is told of what fails behind a boundary while the page goes on; what fails as a whole rejects, and the router tells of it. */
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
      // Nothing is moved into place by script afterwards, however long it is.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady: () => (hasShell = true),
      onAllReady: () => pipe(sink),
      // Without it React writes to the console, past the log.
      onError: (error) => {
        if (hasShell) onError(error);
      },
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error("The page could not be rendered.", { cause: error }));
      },
    });
    const timer = setTimeout(() => abort(new Error("The page took too long to render.")), renderTimeoutMs);
  });
}

/** Hands what went wrong in a loader or a component to the server's log; aborted requests are nobody's fault. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  const { reportError } = context.get(servicesContext);
  if (reportError) reportError(error, context.get(visitContext));
  else console.error(error);
};
