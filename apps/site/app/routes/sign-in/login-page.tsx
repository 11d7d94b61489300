import { type FieldErrors, REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { loginSchema } from "@farthing/core/sign-in/schema.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { data, href, redirect, useRouteLoaderData } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import type { Route } from "./+types/login-page";
import { celebrate } from "./celebration.ts";
import LoginForm from "./login-form.island.tsx";
import PasskeyForm from "./passkey-form.island.tsx";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";

/** Where people go after the login if they did not come from a page. */
const HOME = href("/profile");

/** The notes with which other pages send people here. */
const notes = ["password-set", "signed-out", "passkey-refused", "slow-down", "step-over", "not-sent"] as const;

export function loader({ context, request }: Route.LoaderArgs) {
  const parameters = readParameters(request, "/login");
  const next = safeNext(parameters.next, HOME);
  const visit = context.get(visitContext);
  if (visit.member) throw redirect(next);
  const passkey = context.get(servicesContext).accounts.askForPasskey(visit);
  const note = notes.find((candidate) => candidate === parameters.note) ?? null;
  return { next, passkey, note };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const next = safeNext(form.get("next"), HOME);
  const email = form.get("email");
  const typed = typeof email === "string" ? email.slice(0, 254) : "";
  const credentials = loginSchema.safeParse({ email, password: form.get("password") });
  if (!credentials.success) {
    const fields = new Set(credentials.error.issues.map(({ path }) => path[0]));
    const errors: FieldErrors = {};
    if (fields.has("email"))
      errors["email"] = typed.trim() === "" ? REQUIRED_MESSAGE : "Enter your e-mail address, like name@example.org.";
    if (fields.has("password"))
      errors["password"] = form.get("password") ? "Enter your password, of at most 128 characters." : REQUIRED_MESSAGE;
    return answer(400, { next, email: typed, problem: "incomplete" as const, errors, waitSeconds: 0 });
  }
  const visit = context.get(visitContext);
  const result = await context.get(servicesContext).accounts.logIn(visit, request, { ...credentials.data, next });
  if (result.outcome === "logged-in") throw redirect(next, { status: 303, headers: celebrate(visit, result.headers) });
  if (result.outcome === "second-step") throw redirect(href("/login/code"), { status: 303, headers: result.headers });
  const failed = { next, email: typed, errors: {}, waitSeconds: 0 };
  if (result.outcome === "refused") return answer(401, { ...failed, problem: "refused" as const });
  if (result.outcome === "unconfirmed") return answer(403, { ...failed, problem: "unconfirmed" as const });
  const wait = result.retryAfterSeconds;
  return slowDown<Answer>(context, { ...failed, problem: "slow-down", waitSeconds: wait }, wait);
}

interface Answer {
  next: string;
  email: string;
  problem: "incomplete" | "refused" | "unconfirmed" | "slow-down";
  errors: FieldErrors;
  waitSeconds: number;
}

function answer(status: number, body: Answer) {
  return data(body, status);
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const { passkey, note } = loaderData;
  const next = actionData?.next ?? loaderData.next;
  return (
    <SignInPage title="Log in">
      {next !== HOME && !actionData && !note && <p className="soft">Then we’ll take you on to where you were going.</p>}
      {note && !actionData && <LoginNote note={note} />}
      {actionData && actionData.problem !== "incomplete" && (
        <div id="login-problem" tabIndex={-1}>
          <LoginProblem problem={actionData.problem} email={actionData.email} waitSeconds={actionData.waitSeconds} />
        </div>
      )}
      <LoginForm next={next} email={actionData?.email} errors={actionData?.errors} />
      <PasskeyForm question={passkey} action="/login/passkey" next={next} fills />
      <p className="login-help">
        New to {brand.name}?{" "}
        <a href="/register" data-tracking="join">
          Create an account
        </a>
      </p>
      <p className="soft login-help">
        Can’t get in? Write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
      </p>
    </SignInPage>
  );
}

function LoginNote({ note }: { note: (typeof notes)[number] }) {
  switch (note) {
    case "password-set":
      return <Notice tone="good" title="Your new password is set. Log in with it." />;
    case "signed-out":
      return <Notice tone="good" title="You are signed out everywhere." />;
    case "passkey-refused":
      return (
        <Notice tone="bad" isUrgent title="That passkey did not work">
          <p>It may have been removed, or the page was open for too long. Try again, or use your password.</p>
        </Notice>
      );
    case "slow-down":
      return (
        <Notice tone="warn" isUrgent title="Too many tries">
          <p>Please wait a few minutes before you try again.</p>
        </Notice>
      );
    case "not-sent":
      return (
        <Notice tone="warn" isUrgent title="Your session has ended">
          <p>What you typed was not sent. Log in, check the form, and send it again.</p>
        </Notice>
      );
    case "step-over":
      return (
        <Notice tone="warn" isUrgent title="That took a while">
          <p>For your safety, please begin again with your password.</p>
        </Notice>
      );
  }
}

function LoginProblem({
  problem,
  email,
  waitSeconds,
}: {
  problem: Exclude<Answer["problem"], "incomplete">;
  email: string;
  waitSeconds: number;
}) {
  switch (problem) {
    case "refused":
      return (
        <Notice tone="bad" isUrgent title="That e-mail and password don’t match">
          <p>Check both and try again. Capitals count in the password.</p>
          <p>Many people joined with an address from work or school: try that one, too.</p>
        </Notice>
      );
    case "unconfirmed":
      return (
        <Notice tone="warn" isUrgent title="Please confirm your e-mail first">
          <p>We have sent a link to {email}. It works for 24 hours; look in the folder for spam, too.</p>
        </Notice>
      );
    case "slow-down":
      return <SlowDownNotice seconds={waitSeconds} />;
  }
}
