import { findMemberTypes } from "@farthing/core/member-types/queries.server.ts";
import { newPasswordFault } from "@farthing/core/sign-in/new-password-fault.server.ts";
import { findDraft, startDraft } from "@farthing/core/registration/drafts.server.ts";
import { readStepOne, typedIn } from "@farthing/core/registration/read-registration.ts";
import { emailHint } from "@farthing/core/registration/rules.ts";
import { countRegistration, takeBackStart } from "@farthing/core/registration/tries.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { findInvitation } from "@farthing/core/invitations/operations.server.ts";
import { data, href, redirect, useRouteLoaderData } from "react-router";
import { slowDown } from "../../slow-down.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/registration-page";
import { invitationCodeOf } from "../referrals/invitation-cookies.ts";
import { markBrowser } from "../referrals/mark-browser.ts";
import { typeChoices } from "./details-view.server.ts";
import { draftCookie, draftTokenOf } from "./draft-cookie.ts";
import RegistrationForm from "./registration-form.island.tsx";
import { RegistrationFrame } from "./registration-frame.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, origin } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const token = draftTokenOf(request, origin);
  const code = invitationCodeOf(request, origin);
  const [types, draft, invitation] = await Promise.all([
    findMemberTypes(db, brand.id),
    token === null ? null : findDraft(db, { brandId: brand.id, token, now: now() }),
    code === null ? null : findInvitation(db, { brandId: brand.id, code, now: now() }),
  ]);
  const { over: isOver } = readParameters(request, "/register");
  const waiting = draft && !draft.isCompleted ? emailHint(draft.email) : null;
  const welcomePence = invitation?.programme?.friendPence ?? 0;
  return { types: typeChoices(types), waiting, isOver, welcomePence };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { brand, origin, clientAddress = "unknown" } = context.get(visitContext);
  const { db, accounts, now, registrationSecret: secret } = context.get(servicesContext);
  const form = await request.formData();
  const typed = typedIn(form);
  const kept = {
    type: typed("member_type"),
    status: typed("member_status"),
    email: typed("email").slice(0, 254),
    confirmation: typed("email_confirmation").slice(0, 254),
  };
  const tellToWait = (waitSeconds: number) =>
    slowDown(context, { errors: {} as Record<string, string>, waitSeconds, ...kept }, waitSeconds);

  const types = await findMemberTypes(db, brand.id);
  const read = readStepOne(form, types, newPasswordFault);
  if (read.errors) return data({ errors: read.errors, waitSeconds: 0, ...kept }, 400);
  const wait = await countRegistration(db, { what: "starts", brandId: brand.id, of: clientAddress, secret });
  if (wait > 0) return tellToWait(wait);

  const { type, status, email, password } = read.value;
  let passwordHash: string;
  try {
    passwordHash = await accounts.hashPassword(password);
  } catch (error) {
    await takeBackStart(db, { of: clientAddress, secret });
    if ((error as Error).name !== "HashingBusy") throw error;
    return tellToWait(5);
  }
  const code = invitationCodeOf(request, origin);
  const invitation = code === null ? null : await findInvitation(db, { brandId: brand.id, code, now: now() });
  const token = await startDraft(db, {
    brandId: brand.id,
    email,
    passwordHash,
    memberTypeId: type.id,
    memberStatusId: status.id,
    invitation: invitation?.programme
      ? {
          inviterId: invitation.inviterId,
          programmeId: invitation.programme.id,
          browserMark: markBrowser(context, request),
        }
      : null,
    replaces: draftTokenOf(request, origin),
    now: now(),
  });
  throw redirect(href("/register/details"), {
    status: 303,
    headers: { "Set-Cookie": draftCookie(token, origin) },
  });
}

export default function RegistrationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const { types, waiting, isOver, welcomePence } = loaderData;
  return (
    <RegistrationFrame step={1} title={`Join ${brand.name}`}>
      <PageHead title="Join, step 1 of 2" description={`Join ${brand.name}: ${brand.strapline}`} path="/register" />
      {isOver && (
        <Notice tone="warn" title="That took longer than we keep it">
          <p>Please begin again. It takes a minute.</p>
        </Notice>
      )}
      {welcomePence > 0 && !actionData && (
        <Notice tone="good" title="You are invited">
          <p>A welcome bonus of {formatPence(welcomePence)} waits for your first purchase that counts.</p>
        </Notice>
      )}
      {waiting && !actionData && (
        <Notice tone="info" title="You have been here before">
          <p>
            We kept what you told us as {waiting}. <a href="/register/details">Carry on where you left off</a>, or begin
            again below.
          </p>
        </Notice>
      )}
      {actionData && actionData.waitSeconds > 0 && (
        <Notice tone="warn" isUrgent title="Too many at once">
          <p>Many people are joining from where you are. Please try again {waitInWords(actionData.waitSeconds)}.</p>
        </Notice>
      )}
      {types.length === 0 ? (
        <Notice tone="info" title="Nobody can join at the moment">
          <p>
            Please come back later, or write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
          </p>
        </Notice>
      ) : (
        <>
          <HalfFilled name="registration" form="registration" start="Start again" isSilent={waiting !== null} />
          <RegistrationForm
            types={types}
            type={actionData?.type}
            status={actionData?.status}
            email={actionData?.email}
            confirmation={actionData?.confirmation}
            errors={actionData?.errors}
          />
        </>
      )}
      <p className="soft registration-other-way">
        Have an account? <a href="/login">Log in</a>
      </p>
    </RegistrationFrame>
  );
}

function waitInWords(seconds: number): string {
  if (seconds < 60) return "in a moment";
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
