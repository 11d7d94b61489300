import { giftDesigns, MAX_GIFT_DAYS } from "@farthing/core/gift-cards/gift.ts";
import { readGift, typedGift, valuesOf, type TypedGift } from "@farthing/core/gift-cards/gift-form.ts";
import { changeGift, giveCard, sendAgain, takeBack } from "@farthing/core/gift-cards/presents.server.ts";
import { designWords, isOpenToChange, MAX_SENDS } from "@farthing/core/gift-cards/presents-rules.ts";
import { findWalletCard, type GivenPresent } from "@farthing/core/gift-cards/wallet.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { londonDate } from "@farthing/core/registration/rules.ts";
import { data, href, redirect, type RouterContextProvider } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { noonOf } from "../claims/claim-words.ts";
import { ProfileShell } from "../members/profile-shell.tsx";
import { field } from "../sign-in/form-field.ts";
import { provedMemberOf } from "../sign-in/security-guard.ts";
import type { Route } from "./+types/give-page";
import GiveForm from "./give-form.island.tsx";
import { presentWords } from "./wallet-words.ts";
import stylesheet from "./wallet.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

const DAY_MS = 86_400_000;
const empty: TypedGift = { recipient_name: "", recipient_email: "", message: "", design: "birthday", send_on: "" };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const card = await ownCard(context, params.card);
  const page = href("/money/gift-cards/:card", { card: params.card });
  if (!card.present && (card.state !== "issued" || card.usedAt || card.isExpired)) throw redirect(page, 303);
  // Whoever gives a card away decides who can spend it, so the form is as safe as the code.
  if (!card.present || isOpenToChange(card.present.state)) proved(context, params.card, card.isKnownDevice, "open");
  const now = context.get(servicesContext).now();
  const { publicId, card: name, facePence, leftPence, present, firstShownAt, expiresOn, isExpired } = card;
  const latest = londonDate(new Date(now.getTime() + MAX_GIFT_DAYS * DAY_MS));
  const days = { first: londonDate(now), last: expiresOn !== null && expiresOn < latest ? expiresOn : latest };
  const note = readParameters(request, "/money/gift-cards/:card/gift").note;
  return {
    card: { publicId, name, facePence, leftPence, wasSeen: firstShownAt !== null, isExpired },
    ...{ present, days, note, now },
  };
}

async function ownCard(context: Readonly<RouterContextProvider>, card: string) {
  const { id: memberId, sessionId } = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const found = await findWalletCard(db, { memberId, card, sessionId, now: now() });
  if (!found) throw data(null, 404);
  return found;
}

function proved(context: Readonly<RouterContextProvider>, card: string, isKnownDevice: boolean, to: "open" | "change") {
  if (!isKnownDevice) provedMemberOf(context, href("/money/gift-cards/:card/gift", { card }), to);
}

export async function action({ context, params: { card }, request }: Route.ActionArgs) {
  const { id: memberId } = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const own = { memberId, card, now };
  const path = href("/money/gift-cards/:card/gift", { card });
  const { isKnownDevice, expiresOn } = await ownCard(context, card);
  const form = await request.formData();
  const intent = field(form, "intent");
  // Taking back gives nothing away.
  if (intent === "take-back") {
    const outcome = await takeBack(db, own);
    if (outcome === "unknown") throw data(null, 404);
    if (outcome === "too-late") throw redirect(`${path}?note=too-late`, 303);
    throw redirect(`${href("/money/gift-cards/:card", { card })}?note=taken-back`, 303);
  }
  proved(context, card, isKnownDevice, "change");
  if (intent === "again") {
    const outcome = await sendAgain(db, own);
    if (outcome === "unknown") throw data(null, 404);
    throw redirect(`${path}?note=${outcome === "changed" ? "again" : outcome}`, 303);
  }
  if (intent !== "give" && intent !== "change") throw data(null, 400);
  const values = typedGift(form);
  const read = readGift(values, now, expiresOn);
  if (read.errors) return data({ values, errors: read.errors }, 400);
  const outcome =
    intent === "give"
      ? await giveCard(db, { ...own, gift: read.value })
      : await changeGift(db, { ...own, gift: read.value });
  if (outcome === "unknown") throw data(null, 404);
  throw redirect(`${path}?note=${outcome === "not-now" ? "too-late" : outcome}`, 303);
}

/** Giving a card to a friend, and what became of it (G6). */
export default function GivePage({ loaderData, actionData }: Route.ComponentProps) {
  const { card, present, days, note, now } = loaderData;
  const action = href("/money/gift-cards/:card/gift", { card: card.publicId });
  const designs = giftDesigns.map((value) => ({ value, label: designWords[value].label }));
  const canChange = present !== null && isOpenToChange(present.state);
  const values = actionData?.values ?? (present ? giftValues(present, now) : empty);
  return (
    <ProfileShell
      current="money"
      title={present ? "Your present" : "Give it to a friend"}
      parent={{ href: "/money/gift-cards", label: "Gift cards" }}
      lead={`${card.name}, ${formatPence(card.facePence)}`}
      isNotSaved={note === "not-saved" && !actionData}
    >
      <GiveNote note={note} />
      {(note === "given" || note === "changed") && <span hidden data-form-arrived={`give:${card.publicId}`} />}
      {present ? (
        <PresentState present={present} now={now} />
      ) : (
        <>
          <p className="wallet-text">
            Your friend gets a mail with your words, and opens the card without an account. It opens once, on one
            device. You don’t see the code any more, and until it is opened you can take it back.
          </p>
          {card.wasSeen && (
            <Notice tone="warn" title="You have seen the code">
              <p>Don’t use it, and throw away what you printed: whoever is first at the till gets the money.</p>
            </Notice>
          )}
          {card.leftPence < card.facePence && (
            <Notice tone="warn" title={`${formatPence(card.leftPence)} is left on this card`}>
              <p>
                Your friend’s mail says {formatPence(card.facePence)}, the value of the card. Tell them what is left.
              </p>
            </Notice>
          )}
        </>
      )}
      {canChange && (
        <div className="gift-card-tools">
          {present.state !== "planned" && present.sends < MAX_SENDS && !card.isExpired && (
            <Act action={action} intent="again">
              Send the mail again
            </Act>
          )}
          <Act action={action} intent="take-back">
            Take it back
          </Act>
        </div>
      )}
      {(!present || (canChange && present.sends < MAX_SENDS && !card.isExpired)) && (
        <section aria-labelledby="change">
          <h2 id="change" className="display section-title">
            {present ? "Change it" : "For whom?"}
          </h2>
          {present && present.state !== "planned" && (
            <p className="soft">It is then sent again, with a new link. The old link opens nothing any more.</p>
          )}
          <HalfFilled
            name={`give:${card.publicId}`}
            form="give"
            start={present ? "Start from what is saved" : "Start again"}
          />
          <GiveForm
            action={action}
            intent={present ? "change" : "give"}
            values={values}
            errors={actionData?.errors ?? {}}
            designs={designs}
            days={days}
            button={present ? "Save the changes" : "Give the card"}
          />
        </section>
      )}
    </ProfileShell>
  );
}

function giftValues(present: GivenPresent, now: Date): TypedGift {
  const { recipientName, recipientEmail, message, design, sendOn } = present;
  return valuesOf({
    ...{ recipientName: recipientName ?? "", recipientEmail: recipientEmail ?? "", message: message ?? "", design },
    sendOn: sendOn > londonDate(now) ? sendOn : null,
  });
}

function PresentState({ present, now }: { present: GivenPresent; now: Date }) {
  const { recipientName, recipientEmail, message, design, sendOn, wasSeen, state } = present;
  return (
    <>
      <Notice
        tone={state === "bounced" ? "bad" : state === "opened" ? "good" : "info"}
        title={presentWords(present, now)}
      >
        {state === "bounced" && <p>Nothing is lost. Correct the address below, or take the card back.</p>}
        {state === "opened" && <p>It is theirs now. Only they can see the code.</p>}
        {wasSeen && <p>You had seen the code before you gave the card away. Please don’t use it.</p>}
      </Notice>
      <dl className="closing-facts">
        <div>
          <dt>For</dt>
          <dd>
            {recipientName ?? "Removed"}
            {recipientEmail && `, ${recipientEmail}`}
          </dd>
        </div>
        <div>
          <dt>Occasion</dt>
          <dd>{designWords[design].label}</dd>
        </div>
        <div>
          <dt>Day</dt>
          <dd>{longDate(noonOf(sendOn))}</dd>
        </div>
        {message && (
          <div>
            <dt>Your words</dt>
            <dd className="wallet-terms-text">{message}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Act({ action, intent, children }: { action: string; intent: string; children: string }) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="intent" value={intent} />
      <button type="submit" className="button is-quiet">
        {children}
      </button>
    </form>
  );
}

const notes = {
  given: ["good", "It is on its way", "We tell you by mail when it is sent, and when it is opened."],
  changed: ["good", "Changed", "We send it as it is now."],
  again: ["good", "We send the mail again", "The link in it is new. The old one opens nothing any more."],
  "too-late": ["warn", "That is no longer possible", "This is where it stands now."],
  "card-over": ["warn", "The card has expired by then", "It can’t be sent on that day."],
  "too-often": [
    "warn",
    `It was sent ${MAX_SENDS} times`,
    "Ask your friend to look for the mail, also among the unwanted ones. You can take the card back.",
  ],
} as const;

function GiveNote({ note }: { note: keyof typeof notes | "not-saved" | null }) {
  if (!note || note === "not-saved") return null;
  const [tone, title, text] = notes[note];
  return (
    <Notice tone={tone} isUrgent title={title}>
      <p>{text}</p>
    </Notice>
  );
}
