import { loginSchema } from "@farthing/core/members/schema.ts";
import { safeNext } from "@farthing/core/members/next-path.ts";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { useEffect, useRef } from "react";
import { data, redirect, useRouteLoaderData } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import type { RootData } from "../../root.tsx";
import { servicesContext, visitContext } from "../../site-context.ts";
import { privatePage } from "../../site-headers.ts";
import { LoadingButton } from "../../ui/loading-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Route } from "./+types/login-page";

export const handle = pageHandle("sessions", "new");

/** Where a person goes who did not come from anywhere in particular. */
const home = "/profile";

export function loader({ context, request }: Route.LoaderArgs) {
  const next = safeNext(new URL(request.url).searchParams.get("next"), home);
  if (context.get(visitContext).member) throw redirect(next, { headers: privatePage });
  return data({ next }, { headers: privatePage });
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const next = safeNext(form.get("next"), home);
  const email = form.get("email");
  const typed = typeof email === "string" ? email.slice(0, 254) : "";
  const credentials = loginSchema.safeParse({ email, password: form.get("password") });
  if (!credentials.success) {
    const fields = new Set(credentials.error.issues.map(({ path }) => path[0]));
    return answer(400, {
      next,
      email: typed,
      problem: "incomplete" as const,
      isEmailBad: fields.has("email"),
      isPasswordBad: fields.has("password"),
      waitSeconds: 0,
    });
  }
  const visit = context.get(visitContext);
  const result = await context.get(servicesContext).accounts.logIn(visit, request, credentials.data);
  if (result.outcome === "logged-in") throw redirect(next, { status: 303, headers: result.headers });
  const failed = { next, email: typed, isEmailBad: false, isPasswordBad: false };
  if (result.outcome === "refused") return answer(401, { ...failed, problem: "refused" as const, waitSeconds: 0 });
  const wait = result.retryAfterSeconds;
  return answer(429, { ...failed, problem: "slow-down" as const, waitSeconds: wait }, { "Retry-After": String(wait) });
}

interface Answer {
  next: string;
  email: string;
  problem: "incomplete" | "refused" | "slow-down";
  isEmailBad: boolean;
  isPasswordBad: boolean;
  waitSeconds: number;
}

function answer(status: number, body: Answer, headers: Record<string, string> = {}) {
  return data(body, { status, headers: { ...privatePage, ...headers } });
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders.has("Cache-Control") ? actionHeaders : loaderHeaders;
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const next = actionData?.next ?? loaderData.next;
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), [actionData]);
  return (
    <div className="wrap page login">
      <PageHead title="Log in" isPrivate />
      <div className="login-card">
        <h1 className="display page-title">Log in</h1>
        {next !== home && !actionData && <p className="soft">Then we’ll take you on to where you were going.</p>}
        {actionData && (
          <div ref={summary} tabIndex={-1}>
            <LoginProblem answer={actionData} />
          </div>
        )}
        <form method="post" action="/login" noValidate={false}>
          <input type="hidden" name="next" value={next} />
          <div className="field">
            <label htmlFor="email">Email</label>
            <input
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              inputMode="email"
              maxLength={254}
              required
              defaultValue={actionData?.email ?? ""}
              aria-invalid={actionData?.isEmailBad || undefined}
              aria-describedby={actionData?.isEmailBad ? "email-error" : undefined}
            />
            {actionData?.isEmailBad && (
              <p id="email-error" className="field-error">
                Enter your e-mail address, like name@example.org.
              </p>
            )}
          </div>
          <PasswordField
            id="password"
            name="password"
            label="Password"
            autoComplete="current-password"
            error={actionData?.isPasswordBad ? "Enter your password." : undefined}
          />
          <LoadingButton className="is-large is-wide">Log in</LoadingButton>
        </form>
        <p className="soft login-help">
          Can’t get in? Write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
        </p>
      </div>
      <aside className="login-aside" aria-label={`About ${brand.name}`}>
        <p className="display">{brand.strapline}</p>
        <div className="hero-art" aria-hidden="true" />
      </aside>
    </div>
  );
}

function LoginProblem({ answer: { problem, waitSeconds } }: { answer: Answer }) {
  if (problem === "incomplete") return <Notice tone="bad" isUrgent title="Something is missing" />;
  if (problem === "refused") {
    return (
      <Notice tone="bad" isUrgent title="That e-mail and password don’t match">
        <p>Check both and try again. Capitals count in the password.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" isUrgent title="Too many tries">
      <p>For the safety of the account, please wait {waitInWords(waitSeconds)} before you try again.</p>
    </Notice>
  );
}

function waitInWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
