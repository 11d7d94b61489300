import type { HandedOut } from "./hand-out-device.ts";
import { findKeptCard, forgetCard, keepCard, type KeptCard } from "./kept-card.ts";
import { importSecret } from "./sign-code.ts";

/** After this long without an answer the stored card is taken, as the service worker does with the page: a till can't wait for a bad connection. */
const ANSWER_MS = 4_000;

/**
 * Returns the card for this device: fresh from the server, and then stored, or the stored one while offline. Null where
 * there is none or it is no longer valid.
 */
export async function fetchCard(): Promise<KeptCard | null> {
  const asked = Date.now();
  const handedOut = await askServer();
  if (handedOut === "no-answer") return await findKeptCard();
  if (handedOut === null) {
    await forgetCard();
    return null;
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
  return kept;
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
