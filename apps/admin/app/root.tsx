import { type ReactNode, use } from "react";
import { isRouteErrorResponse, Links, Outlet, useMatches, useRouteError } from "react-router";
import type { Route } from "./+types/root";
import { guard, NOT_PERMITTED, type Refusal } from "./guard.server.ts";
import { pageName } from "./page-name.ts";
import { ShellContext } from "./shell-context.ts";
import { SignedInShell } from "./kit/signed-in-shell.tsx";
import { SignedOutShell } from "./kit/signed-out-shell.tsx";
import stylesheet from "./styles/admin.css?url";

export const middleware: Route.MiddlewareFunction[] = [guard];

export function Layout({ children }: { children: ReactNode }) {
  const { look, operator, script, isRefused, hotReload } = use(ShellContext);
  const error = useRouteError();
  const isError = isRefused || (error !== undefined && error !== null);
  const { controller, action } = pageName(useMatches().at(-1)?.id, isError);
  return (
    <html lang="en-GB" data-look={look}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={look === "auto" ? "light dark" : look} />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheet} />
        <Links />
        {hotReload !== undefined && <script type="module" src={hotReload} />}
        <script type="module" src={script} />
      </head>
      <body data-controller={controller} data-action={action}>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        {operator ? (
          <SignedInShell operator={operator}>{children}</SignedInShell>
        ) : (
          <SignedOutShell>{children}</SignedOutShell>
        )}
      </body>
    </html>
  );
}

export default function Admin() {
  return <Outlet />;
}

const NOT_FOUND: Refusal = { title: "Not found", text: "There is nothing at this address, or it is no longer there." };
const BROKEN: Refusal = {
  title: "Something went wrong",
  text: "It is our fault and was written to the log. Nothing was half done. Go back and try again.",
};

export function ErrorBoundary() {
  const error = useRouteError();
  const { operator, isRefused } = use(ShellContext);
  const { title, text, unsent } = isRefused ? NOT_PERMITTED : wordsOf(error);
  return (
    <section className="narrow">
      <title>{`${title} · Admin`}</title>
      <h1>{title}</h1>
      <p>{text}</p>
      {unsent ? (
        <Unsent {...unsent} />
      ) : (
        <p>
          <a href={operator ? "/admin" : "/admin/sign-in"}>{operator ? "Go to the home page" : "Go to the sign-in"}</a>
        </p>
      )}
    </section>
  );
}

/** What somebody typed before their session ended. */
function Unsent({ action, fields }: NonNullable<Refusal["unsent"]>) {
  return (
    <form method="post" action={action} className="acts">
      {fields.map(([name, value], at) => (
        // A list of fields that does not change; names can be repeated.
        // oxlint-disable-next-line react/no-array-index-key
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      <a className="button" href="/admin/sign-in" target="_blank" rel="noreferrer">
        Sign in, in another tab
      </a>
      <button className="button is-main">Send it now</button>
    </form>
  );
}

function wordsOf(error: unknown): Refusal {
  if (!isRouteErrorResponse(error)) return BROKEN;
  if (typeof error.data === "object" && error.data !== null) return error.data as Refusal;
  return error.status === 404 ? NOT_FOUND : BROKEN;
}
