import { findSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { qrPath } from "@farthing/ui/qr-code/qr-path.ts";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { slowDown } from "../../slow-down.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { field } from "./form-field.ts";
import { SlowDownNotice } from "./sign-in-page.tsx";
import type { Route } from "./+types/two-step-page";
import { ProfileShell } from "../members/profile-shell.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { provedMemberOf } from "./security-guard.ts";
import TwoStepForm from "./two-step-form.island.tsx";

const PATH = href("/profile/security/two-step");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = provedMemberOf(context, PATH, "open");
  const { db, accounts } = context.get(servicesContext);
  const factor = await findSecondFactor(db, { memberId: member.id });
  const toScan = factor.isOn ? null : await accounts.prepareSecondFactor(context.get(visitContext));
  return {
    factor,
    toScan: toScan && { ...toScan, qr: qrPath(toScan.uri) },
    isNotSaved: readParameters(request, "/profile/security/two-step").note !== null,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  provedMemberOf(context, PATH, "change");
  const visit = context.get(visitContext);
  const { accounts } = context.get(servicesContext);
  const form = await request.formData();
  const answer = { errors: {} as Record<string, string>, recoveryCodes: null as string[] | null, waitSeconds: 0 };
  switch (field(form, "intent")) {
    case "turn-on": {
      const result = await accounts.turnOnSecondFactor(visit, request, field(form, "code", 60));
      if (result.outcome === "on") {
        return data({ ...answer, recoveryCodes: result.recoveryCodes }, { headers: result.headers });
      }
      if (result.outcome === "refused") {
        const errors = { code: "That code is not right. Type the one your app shows now." };
        return data({ ...answer, errors }, 401);
      }
      const wait = result.retryAfterSeconds;
      return slowDown(context, { ...answer, waitSeconds: wait }, wait);
    }
    case "renew-codes": {
      const renewed = await accounts.renewRecoveryCodes(visit, request);
      if (renewed === null) throw redirect(PATH, 303);
      return data({ ...answer, recoveryCodes: renewed.recoveryCodes }, { headers: renewed.headers });
    }
    case "turn-off": {
      const headers = await accounts.turnOffSecondFactor(visit, request);
      throw redirect(href("/profile/security"), { status: 303, headers });
    }
    default:
      throw data(null, 400);
  }
}

export default function TwoStepPage({ loaderData: { factor, toScan, isNotSaved }, actionData }: Route.ComponentProps) {
  return (
    <ProfileShell
      current="security"
      parent={{ href: "/profile/security", label: "Sign-in and security" }}
      title="Two-step sign-in"
      lead="A code from an app on your phone, as well as your password: a stolen password alone opens nothing."
      isNotSaved={isNotSaved && !actionData}
    >
      {actionData && actionData.waitSeconds > 0 && <SlowDownNotice seconds={actionData.waitSeconds} />}
      {actionData?.recoveryCodes && <RecoveryCodes codes={actionData.recoveryCodes} />}
      {toScan && <TurnOn {...toScan} errors={actionData?.errors} />}
      {factor.isOn && !actionData?.recoveryCodes && (
        <p>
          It is on. {factor.recoveryCodesLeft}{" "}
          {factor.recoveryCodesLeft === 1 ? "recovery code is" : "recovery codes are"} left.
        </p>
      )}
      {factor.isOn && (
        <div className="button-row two-step-acts">
          <form method="post" action={PATH}>
            <button type="submit" className="button is-quiet" name="intent" value="renew-codes">
              Make new recovery codes
            </button>
          </form>
          <form method="post" action={PATH}>
            <button type="submit" className="button is-quiet" name="intent" value="turn-off">
              Turn two-step sign-in off
            </button>
          </form>
        </div>
      )}
    </ProfileShell>
  );
}

function TurnOn({
  secret,
  uri,
  qr,
  errors,
}: {
  secret: string;
  uri: string;
  qr: { size: number; path: string };
  errors: Record<string, string> | undefined;
}) {
  return (
    <ol className="security-steps">
      <li>
        <p>Get an authenticator app, if you have none. Many password managers have one built in.</p>
      </li>
      <li>
        <p>Scan this with it.</p>
        <div className="security-qr">
          <QrDrawing
            qr={qr}
            label="QR code with the secret for your authenticator app; the same secret follows as text"
          />
        </div>
        <p>
          On the phone that has the app: <a href={uri}>Open in your authenticator app</a>
        </p>
        <p className="soft">
          {/* The gaps are no spaces: not every app takes a secret with spaces. */}
          Or type this into it:{" "}
          <code id="two-step-secret" className="security-secret">
            {secret.match(/.{1,4}/g)?.map((part, index) => (
              <span key={index}>{part}</span>
            ))}
          </code>
        </p>
        <p className="security-copy">
          <CopyButton target="two-step-secret" what="secret" />
        </p>
      </li>
      <li>
        <p>Type the six digits it shows now.</p>
        <TwoStepForm action={PATH} errors={errors} />
      </li>
    </ol>
  );
}
