import {
  listPasskeys,
  MAX_PASSKEY_NAME_LENGTH,
  MAX_PASSKEYS,
  removePasskey,
  renamePasskey,
} from "@farthing/core/sign-in/passkeys.server.ts";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { field } from "./form-field.ts";
import type { Route } from "./+types/passkeys-page";
import NewPasskey from "./new-passkey.island.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { provedMemberOf } from "./security-guard.ts";

const PATH = href("/profile/security/passkeys");

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = provedMemberOf(context, PATH, "open");
  const visit = context.get(visitContext);
  const { db, accounts, now } = context.get(servicesContext);
  const passkeys = await listPasskeys(db, { brandId: visit.brand.id, memberId: member.id });
  const question = passkeys.length < MAX_PASSKEYS ? await accounts.prepareNewPasskey(visit) : null;
  return {
    passkeys,
    question,
    now: now(),
    isNotSaved: readParameters(request, "/profile/security/passkeys").note !== null,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = provedMemberOf(context, PATH, "change");
  const visit = context.get(visitContext);
  const { db, accounts, now } = context.get(servicesContext);
  const own = { brandId: visit.brand.id, memberId: member.id };
  const form = await request.formData();
  const name = field(form, "name").trim().slice(0, MAX_PASSKEY_NAME_LENGTH) || "Passkey";
  const passkeyId = field(form, "passkey");
  switch (field(form, "intent")) {
    case "add": {
      const answer = { challenge: field(form, "challenge"), answerJson: field(form, "answer", 20_000), name };
      const { outcome } = await accounts.addPasskey(visit, answer);
      if (outcome === "refused") return data({ isRefused: true }, 400);
      break;
    }
    case "rename":
      if (!(await renamePasskey(db, { ...own, passkeyId, name }))) throw data(null, 404);
      break;
    case "remove":
      if (!(await removePasskey(db, { ...own, sessionId: member.sessionId, passkeyId, now: now() })))
        throw data(null, 404);
      throw redirect(PATH, { status: 303, headers: await accounts.rotateSession(visit, request) });
    default:
      throw data(null, 400);
  }
  throw redirect(PATH, 303);
}

export default function PasskeysPage({
  loaderData: { passkeys, question, now, isNotSaved },
  actionData,
}: Route.ComponentProps) {
  return (
    <ProfileShell
      current="security"
      parent={{ href: "/profile/security", label: "Sign-in and security" }}
      title="Passkeys"
      lead="Open your account with a fingerprint, your face or your device’s code. Your password stays as it is."
      isNotSaved={isNotSaved && !actionData}
    >
      {actionData?.isRefused && (
        <Notice tone="bad" isUrgent title="That passkey could not be added">
          <p>The page may have been open for too long, or the device has one for this account already. Try again.</p>
        </Notice>
      )}
      {passkeys.length > 0 && (
        <ul className="security-list" role="list">
          {passkeys.map(({ id, name, since, lastUsedAt }) => (
            <li key={id}>
              <p className="breaks">
                <b>{name}</b>
                <small className="soft">
                  Added {dayAndMonth(since, now)}
                  {lastUsedAt ? `, last used ${dayAndMonth(lastUsedAt, now)}` : ", not used yet"}
                </small>
              </p>
              <details className="security-rename">
                <summary>
                  Rename<span className="visually-hidden"> {name}</span>
                </summary>
                <form method="post" action={PATH}>
                  <input type="hidden" name="passkey" value={id} />
                  <TextField
                    id={`name-${id}`}
                    name="name"
                    label="New name"
                    defaultValue={name}
                    required
                    maxLength={60}
                    autoComplete="off"
                  />
                  <button type="submit" className="button is-quiet" name="intent" value="rename">
                    Rename
                  </button>
                </form>
              </details>
              <form method="post" action={PATH}>
                <input type="hidden" name="passkey" value={id} />
                <button type="submit" className="link-button" name="intent" value="remove">
                  Remove<span className="visually-hidden"> {name}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      {question ? <NewPasskey question={question} action={PATH} /> : <p>That is as many as one account may have.</p>}
    </ProfileShell>
  );
}
