import type { HandedOut } from "./hand-out-device.ts";
import { findKeptCard, forgetCard, keepCard, type KeptCard } from "./kept-card.ts";
import { importSecret } from "./sign-code.ts";

/** After this long without an answer the stored card is taken, as the service worker does with the page: a till can't wait for a bad connection. */
const ANSWER_MS = 4_000;

export interface FetchedCard {
  /** Null where there is none or it is no longer valid. */
  card: KeptCard | null;
  /** Whether the server answered; the card is the stored one where it did not. */
  isAnswered: boolean;
}

/** Returns the card for this device: fresh from the server, and then stored, or the stored one while offline. */
export async function fetchCard(): Promise<FetchedCard> {
  const asked = Date.now();
  const handedOut = await askServer();
  if (handedOut === "no-answer") return { card: await findKeptCard(), isAnswered: false };
  if (handedOut === null) {
    await forgetCard();
    return { card: null, isAnswered: true };
  }
  const { card, handle, secret, now } = handedOut;
  const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0));
  const kept: KeptCard = {
    card,
    handle,
    key: await importSecret(bytes),
    clockOffset: Math.round(now - (asked + Date.now()) / 2),
  };
  await keepCard(kept).catch((error: unknown) => console.error("The card could not be kept on this device", error));
  return { card: kept, isAnswered: true };
}

async function askServer(): Promise<HandedOut | null | "no-answer"> {
  try {
    const response = await fetch("/digital-id/device", {
      method: "POST",
      body: new URLSearchParams(),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (response.status === 401 || response.status === 403) return null;
    return response.ok ? ((await response.json()) as HandedOut) : "no-answer";
  } catch {
    return "no-answer"; // offline, or as good as: the stored card is valid until its session ends
  }
}
