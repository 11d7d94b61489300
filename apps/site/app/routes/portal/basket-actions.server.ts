import { REQUIRED_MESSAGE, type FieldErrors } from "@farthing/core/forms/rules.ts";
import {
  changeAmount,
  findBasket,
  removeFromBasket,
  setGift,
  type Basket,
  type BasketAnswer,
} from "@farthing/core/gift-cards/basket.server.ts";
import { readGift, typedGift, type TypedGift } from "@farthing/core/gift-cards/gift-form.ts";
import { checkOut } from "@farthing/core/gift-cards/checkout.server.ts";
import { parsePounds } from "@farthing/core/money/money.ts";
import { redirect } from "react-router";
import { field } from "../sign-in/form-field.ts";
import { basketProblem, checkoutProblem } from "./portal-words.ts";
import type { portalVisit } from "./portal.server.ts";

/** What the basket's page shows again after a refused post: nothing typed is lost. */
export interface BasketRefusal {
  /** About the whole basket. */
  problem: string | null;
  /** About one line. */
  line: { publicId: string; typed: string; problem: string } | null;
  gift: { publicId: string; typed: TypedGift; errors: FieldErrors } | null;
  email: { typed: string; problem: string } | null;
}

type Visit = ReturnType<typeof portalVisit>;
const nothing: BasketRefusal = { problem: null, line: null, gift: null, email: null };

/** Does what a form of the basket's page asks for, and redirects; returns what to show where it is refused. */
export async function actOnBasket(visit: Visit, form: FormData): Promise<BasketRefusal | null> {
  const { db, sessionId } = visit;
  const own = { sessionId, line: field(form, "line", 50) };
  switch (field(form, "intent", 20)) {
    case "amount":
      return changeValue(visit, own, field(form, "value", 20));
    case "remove":
      await removeFromBasket(db, own);
      throw done("removed");
    case "gift":
      return makePresent(visit, own, form);
    case "no-gift":
      return settled(await setGift(db, { ...own, gift: null }), "no-present");
    case "order":
      return order(visit, form);
    default:
      return null;
  }
}

const done = (note: string) => redirect(`/portal/basket?note=${note}`, 303);

function settled(answer: BasketAnswer, note: string): BasketRefusal {
  if (answer === "done") throw done(note);
  return { ...nothing, problem: basketProblem(answer, null) };
}

async function changeValue(
  { db, sessionId }: Visit,
  own: { sessionId: string; line: string },
  typed: string,
): Promise<BasketRefusal> {
  const facePence = parsePounds(typed);
  const answer = facePence === null ? "amount-not-offered" : await changeAmount(db, { ...own, facePence });
  if (answer !== "amount-not-offered" && answer !== "card-too-large") return settled(answer, "changed");
  const { lines } = await findBasket(db, { sessionId });
  const amounts = lines.find(({ publicId }) => publicId === own.line)?.amounts ?? null;
  return { ...nothing, line: { publicId: own.line, typed, problem: basketProblem(answer, amounts) ?? "" } };
}

async function makePresent(
  { db, now }: Visit,
  own: { sessionId: string; line: string },
  form: FormData,
): Promise<BasketRefusal> {
  const typed = typedGift(form);
  // When the card ends is known once it is made.
  const read = readGift(typed, now, null);
  if (!read.errors) return settled(await setGift(db, { ...own, gift: read.value }), "present");
  return { ...nothing, gift: { publicId: own.line, typed, errors: read.errors } };
}

async function order({ db, now, giftCards, sessionId, member }: Visit, form: FormData): Promise<BasketRefusal> {
  if (!giftCards) return { ...nothing, problem: "Gift cards are not set up here. Nothing was charged." };
  const email = field(form, "email", 254).trim();
  const idempotencyKey = field(form, "key", 100);
  const version = Number(field(form, "version", 12));
  if (!/^[\w-]{8,100}$/.test(idempotencyKey) || !Number.isSafeInteger(version))
    return { ...nothing, problem: "This page was not complete. Press the button again." };
  const shown: Basket = await findBasket(db, { sessionId });
  const answer = await checkOut(db, giftCards, { sessionId, member, email, version, idempotencyKey, now });
  if (answer.outcome === "placed") throw redirect(`/portal/orders/${answer.publicId}`, 303);
  const problem = checkoutProblem(
    answer,
    shown.lines.map(({ name }) => name),
  );
  const refused = { ...nothing, email: { typed: email, problem: "" } };
  return answer.outcome === "no-email"
    ? { ...refused, email: { typed: email, problem: email === "" ? REQUIRED_MESSAGE : problem } }
    : { ...refused, problem };
}
