import { QrCode } from "@farthing/ui/qr-code/qr-code.tsx";
import { data, redirect } from "react-router";
import { servicesContext, visitContext } from "../../admin-context.ts";
import { TextField } from "../../kit/fields.tsx";
import { Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn } from "../../kit/read-form.ts";
import { waitText } from "./wait-text.ts";
import type { Route } from "./+types/set-up-page";

export async function loader({ context }: Route.LoaderArgs) {
  const visit = context.get(visitContext);
  if (visit.operator?.step !== "set-up") throw redirect("/admin/sign-in", 303);
  // After the post there is nothing more to scan: the page shows the recovery codes.
  return (await context.get(servicesContext).accounts.prepareSetUp(visit)) ?? { uri: "", secret: "" };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { code = "" } = typedIn(await request.formData());
  const visit = context.get(visitContext);
  if (visit.operator?.step !== "set-up") throw redirect("/admin/sign-in", 303);
  const result = await context.get(servicesContext).accounts.setUp(visit, request, code);
  if (result.outcome === "open")
    return data({ recoveryCodes: result.recoveryCodes, fault: null }, { headers: result.headers });
  const isSlow = result.outcome === "slow-down";
  const fault = isSlow
    ? `Too many codes. Wait ${waitText(result.retryAfterSeconds)}, then try again.`
    : "This code does not fit. Type the one that your app shows now; check that your phone's clock is right.";
  return data({ recoveryCodes: null, fault }, { status: isSlow ? 429 : 422 });
}

/** Keeps the cookie of the session that the action opened. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export default function SetUpPage({ loaderData: { uri, secret }, actionData }: Route.ComponentProps) {
  if (actionData?.recoveryCodes) return <RecoveryCodes codes={actionData.recoveryCodes} />;
  return (
    <section className="card">
      <PageHead
        title="Set up codes on your phone"
        intro="From now on you sign in with your password and a code. Any app for one-time codes will do."
      />
      {actionData?.fault && <Notice tone="bad">{actionData.fault}</Notice>}
      <ol>
        <li>
          Scan this with the app, or type the key.
          <QrCode text={uri} label="Code for your app" />
          <p className="code">{secret.replace(/(.{4})/g, "$1 ").trim()}</p>
        </li>
        <li>
          <form method="post" action="/admin/sign-in/set-up">
            <TextField name="code" label="Code that the app shows" autoComplete="one-time-code" inputMode="numeric" />
            <button className="button is-main">Continue</button>
          </form>
        </li>
      </ol>
    </section>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section className="card">
      <PageHead
        title="Keep your recovery codes"
        intro="Each works once, in place of the app, if your phone is lost. They are shown only now: print them or keep them in a password manager."
      />
      <ul className="code-list">
        {codes.map((code) => (
          <li key={code} className="code">
            {code}
          </li>
        ))}
      </ul>
      <p>
        <a className="button is-main" href="/admin">
          I have kept them: continue
        </a>
      </p>
    </section>
  );
}
