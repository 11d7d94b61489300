import { data, href, redirect } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { Route } from "./+types/code-page";
import { celebrate } from "./celebration.ts";
import CodeForm from "./code-form.island.tsx";
import { field } from "./form-field.ts";
import { SignInPage, SlowDownNotice } from "./sign-in-page.tsx";

export async function action({ context, request }: Route.ActionArgs) {
  const visit = context.get(visitContext);
  const form = await request.formData();
  const result = await context.get(servicesContext).accounts.logInWithCode(visit, request, field(form, "code", 60));
  if (result.outcome === "logged-in") {
    const headers = celebrate(visit, result.headers);
    throw redirect(result.next ?? href("/profile"), { status: 303, headers });
  }
  if (result.outcome === "slow-down") {
    const wait = result.retryAfterSeconds;
    return slowDown(context, { errors: {}, waitSeconds: wait }, wait);
  }
  if (result.outcome === "refused") {
    const errors = { code: "That code is not right, or was used before. Each code works once." };
    return data({ errors, waitSeconds: 0 }, 401);
  }
  throw redirect(pagePath(href("/login"), { note: "step-over" }), 303);
}

export default function CodePage({ actionData }: Route.ComponentProps) {
  return (
    <SignInPage title="Enter your code">
      <p>Open your authenticator app and type the six digits it shows for this club.</p>
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      <CodeForm errors={actionData?.errors} />
      <p className="login-help">
        <a href="/login">Begin again</a>
      </p>
    </SignInPage>
  );
}
