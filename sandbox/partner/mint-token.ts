/** The data that the shop got from the payment service when it joined. The key never leaves this server. */
export interface PartnerAccount {
  /** The payment service's address, such as "http://localhost:3000". */
  serviceUrl: string;
  apiKey: string;
}

/** A token for one load of one frame, or why minting failed. */
export type Minted = { ok: true; token: string } | { ok: false; reason: string };

/**
 * Requests a token from the payment service's public API: POST /api/partner/sessions.
 * @param account the shop's account
 * @param page `origin` of the page that will hold the frame; `reference`, the shop's name for the order; and its price,
 *   without which the visitor types an amount; `oncePerReference`, that the order is paid once
 */
export async function mintToken(
  { serviceUrl, apiKey }: PartnerAccount,
  page: { origin: string; reference: string; amountPence?: number; description?: string; oncePerReference?: boolean },
): Promise<Minted> {
  try {
    const answer = await fetch(`${serviceUrl}/api/partner/sessions`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(page),
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await answer.json()) as { token?: string; title?: string; detail?: string };
    if (answer.status === 201 && body.token) return { ok: true, token: body.token };
    return { ok: false, reason: `${answer.status} ${body.title ?? ""}: ${body.detail ?? ""}` };
  } catch (error) {
    return { ok: false, reason: `The payment service does not answer at ${serviceUrl} (${String(error)}).` };
  }
}
