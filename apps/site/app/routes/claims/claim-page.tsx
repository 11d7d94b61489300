import { appealClaim, withdrawClaim } from "@farthing/core/claims/operations.server.ts";
import { findClaim, type ClaimView } from "@farthing/core/claims/queries.server.ts";
import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { ErrorSummary } from "@farthing/ui/forms/error-summary.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { data, href, redirect } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/claim-page";
import { claimStates, claimSteps, claimTitle, noonOf } from "./claim-words.ts";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const claim = await findClaim(db, { memberId: member.id, publicId: params.claim, now });
  if (!claim) throw data(null, 404);
  return { claim, note: readParameters(request, "/money/claims/:claim").note, now };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const own = { brandId: context.get(visitContext).brand.id, memberId: member.id, publicId: params.claim, now: now() };
  const intent = field(form, "intent");
  if (intent !== "withdraw" && intent !== "appeal") throw data(null, 400);
  const words = field(form, "words").trim();
  // Only its script-less browser sends an empty one: the field is required.
  if (intent === "appeal" && words === "") return data({ error: REQUIRED_MESSAGE }, 400);
  const outcome = intent === "withdraw" ? await withdrawClaim(db, own) : await appealClaim(db, { ...own, words });
  if (outcome === "unknown") throw data(null, 404);
  throw redirect(`${href("/money/claims/:claim", { claim: params.claim })}?note=${outcome}`, 303);
}

/** One claim (C7): where it stands, what the member can do and until when, and what happened so far. */
export default function ClaimPage({ loaderData: { claim, note, now }, actionData }: Route.ComponentProps) {
  const { label, tone } = claimStates[claim.state];
  const address = href("/money/claims/:claim", { claim: claim.publicId });
  return (
    <ProfileShell current="money" title={claimTitle(claim)} parent={{ href: "/money/claims", label: "Claims" }}>
      <Note note={note} />
      <div
        className="claim-top"
        data-form-arrived={
          note
            ? `claim:${claim.clickNumber} claim:${claim.purchase ?? ""} ${note === "appealed" ? appealName(claim) : ""}`
            : undefined
        }
      >
        <RetailerMark slug={claim.retailer.slug} size={64} isOwn />
        <div>
          <p className="claim-state">
            <span className={`tag ${tone}`}>{label}</span>
            {claim.isLate && <span className="tag is-bad">Late</span>}
          </p>
          <p>
            Order <b>{claim.orderReference}</b>, {formatPence(claim.salePence)}, bought on{" "}
            {longDate(noonOf(claim.purchasedOn))}
          </p>
        </div>
      </div>
      <Standing claim={claim} now={now} />
      <div className="purchase-columns">
        <section aria-labelledby="steps">
          <h2 id="steps" className="display section-title">
            What happened
          </h2>
          <ol className="timeline" role="list">
            {claim.steps.map(({ state, at }, index) => (
              <li
                key={index}
                className={`timeline-step is-past${state === "declined" || state === "expired" ? " is-declined" : ""}`}
              >
                <span>{claimSteps[state]}</span>
                <small className="soft">{dayAndMonth(at, now)}</small>
              </li>
            ))}
          </ol>
        </section>
        <div className="purchase-side">
          <Evidence claim={claim} now={now} />
          {claim.appealUntil && (
            <Appeal claim={claim} action={address} until={claim.appealUntil} error={actionData?.error} now={now} />
          )}
          <section aria-labelledby="about">
            <h2 id="about" className="display section-title">
              Your visit
            </h2>
            <p>
              You followed our link on {longDate(claim.clickedAt)}, click number{" "}
              <a className="figures" href={href("/money/receipts/:number", { number: claim.clickNumber })}>
                {claim.clickNumber}
              </a>
              .
            </p>
            {claim.purchase && (
              <p>
                <a href={href("/money/purchases/:purchase", { purchase: claim.purchase })}>
                  The purchase that the claim is about
                </a>
              </p>
            )}
            {claim.appeal && <p>You wrote: “{claim.appeal}”</p>}
          </section>
          {claim.canWithdraw && (
            <form method="post" action={address}>
              <input type="hidden" name="intent" value="withdraw" />
              <button type="submit" className="button is-quiet">
                Take the claim back
              </button>
            </form>
          )}
        </div>
      </div>
    </ProfileShell>
  );
}

/** The label of an appeal’s words. */
const APPEAL = "What is wrong with the answer";

/** What the tab keeps the words of an appeal under. */
const appealName = ({ publicId }: ClaimView) => `appeal:${publicId}`;

/** Where it stands, and what to expect. */
function Standing({ claim, now }: { claim: ClaimView; now: Date }) {
  const { state, retailer, credited } = claim;
  switch (state) {
    case "waiting":
      return (
        <Notice tone="info" title={`We wait until ${dayAndMonth(claim.opensAt, now)}`}>
          <p>
            Purchases at {retailer.name} can still show by then. If yours does not, we send the claim by ourselves. You
            need not do anything.
          </p>
        </Notice>
      );
    case "incomplete":
      return (
        <Notice
          tone="warn"
          title={claim.doBy ? `Something is missing, by ${dayAndMonth(claim.doBy, now)}` : "Something is missing"}
        >
          <p>{claim.asked}</p>
          <p className="button-row claim-actions">
            <a className="button" href={href("/money/claims/:claim/evidence", { claim: claim.publicId })}>
              Add a file
            </a>
          </p>
        </Notice>
      );
    case "open":
      return (
        <Notice tone="info" title={claim.isAppeal ? "Your appeal goes to the shop" : "It goes to the shop"}>
          <p>We send it on, and write to you when there is an answer.</p>
        </Notice>
      );
    case "filed":
      return claim.isLate ? (
        <Notice tone="warn" title={`${retailer.name} takes longer than it should`}>
          <p>We noticed and keep asking. You need not do anything.</p>
        </Notice>
      ) : (
        <Notice tone="info" title={`${retailer.name} has it`}>
          <p>
            Shops often take some weeks to answer. We keep asking.
            {claim.autoApprovesAt &&
              ` If it does not answer by ${dayAndMonth(claim.autoApprovesAt, now)}, it counts as accepted.`}
          </p>
        </Notice>
      );
    case "accepted":
      return (
        <Notice tone="good" title={`${retailer.name} agrees`}>
          <p>{claim.answer} The cashback shows in your account when the shop’s network has reported the purchase.</p>
        </Notice>
      );
    case "credited":
      return (
        <Notice tone="good" title="It counts">
          <p>
            {credited ? (
              <a href={href("/money/purchases/:purchase", { purchase: credited.purchase })}>
                {formatPence(credited.cashbackPence)} cashback is in your account
              </a>
            ) : (
              "The purchase is in your account"
            )}
            . The claim is done.
          </p>
        </Notice>
      );
    case "declined":
      return (
        <Notice tone="bad" title="The shop declined it">
          <p>{claim.answer}</p>
          {!claim.appealUntil && <p>There is nothing that the shop would look at again.</p>}
        </Notice>
      );
    case "goodwill":
      return (
        <Notice tone="good" title="We have settled it ourselves">
          <p>
            The shop declined it. We have credited you: see <a href={href("/money")}>your money</a>. The claim is done.
          </p>
        </Notice>
      );
    case "withdrawn":
      return (
        <Notice tone="info" title="You took it back">
          <p>Nothing was sent to the shop. You can claim the order again while there is time.</p>
        </Notice>
      );
    case "expired":
      return (
        <Notice tone="bad" title="It has run out">
          <p>
            What was missing did not arrive in 30 days, so your {claim.isAppeal ? "appeal" : "claim"} was not sent to
            the shop.
          </p>
        </Notice>
      );
  }
}

function Evidence({ claim, now }: { claim: ClaimView; now: Date }) {
  if (claim.files.length === 0 && !claim.canAddFiles) return null;
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence" className="display section-title">
        Evidence
      </h2>
      {claim.files.length > 0 ? (
        <ul className="related" role="list">
          {claim.files.map(({ publicId, originalName, receivedAt }) => (
            <li key={publicId}>
              <a href={href("/verification/attachment/:id", { id: publicId })} download="">
                {originalName}
              </a>{" "}
              <small className="soft">{dayAndMonth(receivedAt, now)}</small>
            </li>
          ))}
        </ul>
      ) : (
        <p>No file yet. An order confirmation with the number, the day and the total helps.</p>
      )}
      {claim.canAddFiles && (
        <p className="button-row">
          <a className="button is-quiet" href={href("/money/claims/:claim/evidence", { claim: claim.publicId })}>
            Add {claim.files.length > 0 ? "another" : "a"} file
          </a>
        </p>
      )}
    </section>
  );
}

function Appeal({
  claim,
  action,
  until,
  error,
  now,
}: {
  claim: ClaimView;
  action: string;
  until: Date;
  error: string | undefined;
  now: Date;
}) {
  return (
    <section aria-labelledby="appeal">
      <h2 id="appeal" className="display section-title">
        Is that wrong?
      </h2>
      <p>
        You can appeal once, until {dayAndMonth(until, now)}. {claim.appealHelp}
      </p>
      <HalfFilled name={appealName(claim)} form="appeal-form" start="Start again" />
      <form id="appeal-form" method="post" action={action} className="closing-form">
        <input type="hidden" name="intent" value="appeal" />
        {error && <ErrorSummary errors={[{ name: "words", label: APPEAL, message: error }]} />}
        <TextField
          name="words"
          label={APPEAL}
          help="One or two sentences, without your name or address."
          autoComplete="off"
          required
          maxLength={300}
          error={error}
        />
        <p>
          <LoadingButton>Appeal</LoadingButton>
        </p>
      </form>
    </section>
  );
}

const notes = {
  made: [
    "good",
    "Thank you. We have your claim",
    "We have sent you an e-mail, and write again when something happens.",
  ],
  already: ["info", "You have a claim about this order already", "This is it. Nothing was changed."],
  appealed: ["good", "Your appeal is on its way", "We write to you when the shop has answered."],
  withdrawn: ["good", "Taken back", "Nothing is sent to the shop."],
  "too-late": ["warn", "That is no longer possible", "The claim has moved on. This is where it stands now."],
  evidence: [
    "good",
    "Your file is here",
    "It is stored encrypted. The people who check claims can see it, nobody else.",
  ],
} as const;

function Note({ note }: { note: keyof typeof notes | null }) {
  if (!note) return null;
  const [tone, title, text] = notes[note];
  return (
    <Notice tone={tone} isUrgent title={title}>
      <p>{text}</p>
    </Notice>
  );
}
