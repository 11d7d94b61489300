import { renderToStaticMarkup } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import { NotPermittedError } from "@farthing/core/audit/act.server.ts";
import type { AdminVisit } from "../server/admin-handler.ts";
import { servicesContext, visitContext } from "./admin-context.ts";
import { lookOf } from "./routes/look/look-cookie.ts";
import { ShellContext } from "./shell-context.ts";

/** Requests in which an act was refused. The router hands the renderer an error without its class. */
const notPermitted = new WeakSet<AdminVisit>();

/** Renders a page as one complete document without inline script. Nothing is hydrated (decision 047). */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const visit = context.get(visitContext);
  const { operator } = visit;
  const isRefused = notPermitted.has(visit);
  const { pathname, search } = new URL(request.url);
  const { entry, hmr } = entryContext.manifest;
  const shell = {
    operator: operator?.step === "open" ? operator : null,
    path: pathname + search,
    look: lookOf(request),
    script: entry.module,
    isRefused,
    hotReload: hmr?.runtime,
  };
  const html = renderToStaticMarkup(
    <ShellContext value={shell}>
      <ServerRouter context={entryContext} url={request.url} />
    </ShellContext>,
  );
  const body = request.method === "HEAD" ? null : `<!doctype html>${html}`;
  return new Response(body, { status: isRefused ? 403 : status, headers });
}

/** Reports errors of loaders and components to the server's log. What an operator may not do is answered, not reported. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // An act was refused after the page had let the operator in (core/audit/act.server.ts).
  if (error instanceof NotPermittedError) return void notPermitted.add(context.get(visitContext));
  if (request.signal.aborted) return;
  context.get(servicesContext).reportError(error, context.get(visitContext));
};
