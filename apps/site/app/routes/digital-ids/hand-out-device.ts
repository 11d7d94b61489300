import { deviceSecret } from "@farthing/core/digital-ids/device-secret.ts";
import { issueDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { findDigitalId } from "@farthing/core/digital-ids/queries.server.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/hand-out-device";
import type { ShownCard } from "./kept-card.ts";
import { shownCard } from "./shown-card.ts";

/** What a device needs to show the card by itself. */
export interface HandedOut {
  card: ShownCard;
  handle: string;
  /** Base64. */
  secret: string;
  /** The server's clock, in ms. */
  now: number;
}

/** POST /digital-id/device, from the card's own script. Answers 401 to visitors and 403 to members without a card. */
export async function action({ context }: Route.ActionArgs) {
  const { brand, member } = context.get(visitContext);
  const { db, digitalIdKey, now: clock } = context.get(servicesContext);
  if (!member) return answer(401, null);
  const now = clock();
  const own = { brandId: brand.id, memberId: member.id };
  const device = await issueDevice(db, { ...own, sessionId: member.sessionId, now });
  const digitalId = device && (await findDigitalId(db, own));
  if (!device || !digitalId) return answer(403, null);
  const secret = deviceSecret({ id: device.id, brandId: brand.id, key: digitalIdKey }).toString("base64");
  const handedOut: HandedOut = {
    card: shownCard(digitalId.card),
    handle: device.handle,
    secret,
    now: clock().getTime(),
  };
  return answer(200, handedOut);
}

function answer(status: number, body: HandedOut | null): Response {
  return Response.json(body, { status });
}

/** The address is for posts only. */
export function loader() {
  return new Response(null, { status: 404 });
}
