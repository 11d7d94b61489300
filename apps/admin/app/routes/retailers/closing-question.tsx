import type { ClosingPreview, WorseStatus } from "@farthing/core/catalogue/retailers/find-closing.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { counted } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

const words: Record<WorseStatus, { title: (name: string) => string; button: string; does: string }> = {
  paused: {
    title: (name) => `Pause ${name}?`,
    button: "Pause it",
    does: "Its page says that it has paused its offers. Its gift cards are sold. It can be active again at any time.",
  },
  in_administration: {
    title: (name) => `Mark ${name} as in administration?`,
    button: "Mark as in administration",
    does: "Its page warns members that goods may not arrive. Mails that are sent can’t be taken back.",
  },
  closed: {
    title: (name) => `Close ${name}?`,
    button: "Close it",
    does: "Its page says that it has closed and leads to similar shops. Mails that are sent can’t be taken back.",
  },
};

/** What a worse state stops, with how many of each, and the question whether to save it. It posts all that was typed again. */
export function ClosingQuestion({
  name,
  status,
  closing,
  typed,
  faults,
  path,
}: {
  name: string;
  status: WorseStatus;
  closing: ClosingPreview;
  typed: Typed;
  faults: Faults | undefined;
  path: string;
}) {
  const { title, button, does } = words[status];
  const { confirmed: _confirmed, why: _why, ...form } = typed;
  return (
    <Confirm
      title={title(name)}
      what={
        <>
          <p>{does}</p>
          <ul>
            {effectsOf(closing, status).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </>
      }
      button={button}
      keep={Object.entries(form)}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

/** One sentence for each thing that stops or goes on. */
function effectsOf(closing: ClosingPreview, status: WorseStatus): string[] {
  return [
    offersIn(closing.liveOffers),
    waitingIn(closing.purchases),
    closing.freeCodes === 0
      ? "Its pools have no code left to give out."
      : `${counted(closing.freeCodes, "code")} in pools ${closing.freeCodes === 1 ? "is" : "are"} not given out.`,
    cardsIn(closing.giftCards, status),
    ...(status === "paused" ? [] : [holdersIn(closing.heldCards)]),
  ];
}

const offersIn = (offers: number) =>
  offers === 0
    ? "It has no published offer. Members get no links and no cashback there."
    : `${counted(offers, "published offer")} ${offers === 1 ? "loses its button and leaves" : "lose their buttons and leave"} the search. Members get no links and no cashback there.`;

const waitingIn = ({ open, members }: ClosingPreview["purchases"]) =>
  open === 0
    ? "No member waits for cashback there."
    : `${counted(members, "member")} ${members === 1 ? "waits" : "wait"} for cashback on ${counted(open, "open purchase")}. Nothing of it is taken back: the network still decides.`;

function cardsIn(giftCards: readonly string[], status: WorseStatus): string {
  const [first] = giftCards;
  if (first === undefined) return "It has no gift card on sale.";
  const isOne = giftCards.length === 1;
  const cards = isOne ? `Its gift card (${first})` : `Its gift cards (${giftCards.join(", ")})`;
  if (status === "paused") return `${cards} ${isOne ? "stays" : "stay"} on sale.`;
  return `${cards} ${isOne ? "is" : "are"} not sold any more.`;
}

const holdersIn = (cards: number) =>
  cards === 0
    ? "No member has an unused gift card of this shop, so nobody is e-mailed."
    : `Holders of up to ${counted(cards, "unused gift card")} are told by e-mail, each once, to use ${cards === 1 ? "it" : "them"} now.`;
