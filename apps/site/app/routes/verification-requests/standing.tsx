import { rejectionReasons } from "@farthing/core/verification-requests/reasons.ts";
import type { VerificationView } from "@farthing/core/verification-requests/verification-view.ts";
import { href } from "react-router";
import { dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";

/** A member's verification in words, and what comes next. */
export function Standing({
  view,
  sent,
  now,
}: {
  view: VerificationView;
  sent: "document" | "work-email" | null;
  now: Date;
}) {
  const { verification, verifiedUntil, open, refusal, maySubmit } = view;
  return (
    <div className="proof-standing">
      {sent === "work-email" && (
        <Notice tone="good" isUrgent title="Look in your work or college mailbox">
          <p>We have sent a link there. Open it within a day, on any device, and you are verified.</p>
        </Notice>
      )}
      {sent === "document" && open && (
        <Notice tone="good" isUrgent title="We have it, thank you">
          <p>A person looks at it, usually within two working days. We write to you as soon as they have.</p>
        </Notice>
      )}
      {refusal && !open && <Refusal refusal={refusal} now={now} />}
      <dl className="proof-state">
        <div>
          <dt>Membership</dt>
          <dd>
            <StateTag verification={verification} />
          </dd>
        </div>
        {verifiedUntil && (
          <div>
            <dt>{verification === "lapsed" ? "Ran out on" : "Good until"}</dt>
            <dd>{longDate(verifiedUntil)}</dd>
          </div>
        )}
        {open && (
          <div>
            <dt>Being looked at</dt>
            <dd>
              {open.proofName ?? "Your document"}, sent {dayAndMonth(open.submittedAt, now)}
              {open.file && (
                <>
                  {" · "}
                  <a href={href("/verification/attachment/:id", { id: open.file.publicId })} download>
                    {open.file.originalName}
                  </a>
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
      <p className="soft">{nextStep({ verification, verifiedUntil, isOpen: open !== null, maySubmit })}</p>
    </div>
  );
}

const tags = {
  unverified: { label: "Not verified yet", tone: "is-warn" },
  submitted: { label: "Submitted", tone: "" },
  verified: { label: "Verified", tone: "is-good" },
  rejected: { label: "Not accepted", tone: "is-bad" },
  lapsed: { label: "Run out", tone: "is-bad" },
} as const;

function StateTag({ verification }: Pick<VerificationView, "verification">) {
  const { label, tone } = tags[verification];
  return <span className={`tag ${tone}`}>{label}</span>;
}

function nextStep({
  verification,
  verifiedUntil,
  isOpen,
  maySubmit,
}: Pick<VerificationView, "verification" | "verifiedUntil" | "maySubmit"> & { isOpen: boolean }): string {
  if (verification === "verified" && isOpen)
    return "Your card stays good until somebody has looked at your new proof, however long that takes.";
  if (verification === "verified" && maySubmit) return "It is time to renew. Your card stays good meanwhile.";
  if (verification === "verified")
    return verifiedUntil
      ? "Nothing to do. We write to you a month before it runs out."
      : "Nothing to do: your membership has no end.";
  if (isOpen) return "You can look around and use offers meanwhile.";
  if (verification === "lapsed") return "Send new proof, and it goes on. What you have earned stays yours.";
  return "You can look around and earn. Your digital ID comes with the proof.";
}

function Refusal({ refusal, now }: { refusal: NonNullable<VerificationView["refusal"]>; now: Date }) {
  const { says, example } = rejectionReasons[refusal.reason];
  return (
    <Notice tone="bad" title={`Not accepted on ${dayAndMonth(refusal.decidedAt, now)}`}>
      <p>{says}</p>
      {refusal.note && <p>A note from the person who looked: {refusal.note}</p>}
      <p>
        <b>What would pass:</b> {example}
      </p>
    </Notice>
  );
}
