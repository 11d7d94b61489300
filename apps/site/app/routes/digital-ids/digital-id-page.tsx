import { deviceSecret, signOf } from "@farthing/core/digital-ids/device-secret.ts";
import type { Device } from "@farthing/core/digital-ids/digital-id-view.ts";
import { issueDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { findDigitalId } from "@farthing/core/digital-ids/queries.server.ts";
import { checkAddress, msLeft, stepAt } from "@farthing/core/digital-ids/rules.ts";
import { qrPath } from "@farthing/ui/qr-code/qr-path.ts";
import { href } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { SiteServices } from "../../../server/site-handler.ts";
import type { Visit } from "../../../server/visit.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { clockTime } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import type { Route } from "./+types/digital-id-page";
import stylesheet from "./digital-id.css?url";
import { DigitalIdCard } from "./digital-id-card.tsx";
import { NoCardYet } from "./no-card-yet.tsx";
import ShowCode from "./show-code.island.tsx";
import { shownCard } from "./shown-card.ts";
import { type ServerCode, StillCode } from "./still-code.tsx";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const visit = context.get(visitContext);
  const { brand } = visit;
  const member = context.get(memberContext);
  const services = context.get(servicesContext);
  const { db } = services;
  const now = services.now();
  const own = { brandId: brand.id, memberId: member.id };
  const digitalId = await findDigitalId(db, own);
  if (!digitalId) throw loginRedirect(request, href("/digital-id"));
  const device = await issueDevice(db, { ...own, sessionId: member.sessionId, now });
  return {
    brandName: brand.name,
    verification: digitalId.verification,
    isRenewing: digitalId.hasOpenRequest,
    card: shownCard(digitalId.card),
    code: device && serverCode({ visit, services, device, now }),
    showsCode: readParameters(request, "/digital-id").show === "code",
  };
}

function serverCode({
  visit: { brand, origin },
  services: { digitalIdKey: key },
  device: { id, handle: deviceHandle },
  now,
}: {
  visit: Visit;
  services: SiteServices;
  device: Device;
  now: Date;
}): ServerCode {
  const ms = now.getTime();
  const code = deviceHandle + signOf(deviceSecret({ id, brandId: brand.id, key }), deviceHandle, stepAt(ms));
  return {
    code,
    qr: qrPath(checkAddress(origin, code)),
    checkHost: new URL(origin).host,
    until: clockTime(new Date(ms + msLeft(ms))),
  };
}

export default function DigitalIdPage({ loaderData }: Route.ComponentProps) {
  const { brandName, verification, isRenewing, card, code, showsCode } = loaderData;
  if (verification !== "verified" || !code)
    return (
      <ProfileShell current="digital-id" title="Digital ID">
        <NoCardYet verification={verification === "verified" ? "unverified" : verification} />
      </ProfileShell>
    );
  return (
    <ProfileShell current="digital-id" title="Digital ID" lead="Show it at the till, with or without a connection.">
      <div className="digital-id">
        <DigitalIdCard card={card} brandName={brandName} />
        <div className="digital-id-side">
          <ShowCode brandName={brandName} opensAtOnce={showsCode} />
          <div id="code" className="no-print">
            {showsCode ? (
              <StillCode code={code} />
            ) : (
              <noscript>
                <StillCode code={code} />
              </noscript>
            )}
          </div>
          <p className="soft no-print">
            The code changes every 30 seconds, so a picture of it is worth nothing. A till that checks it sees “valid”
            or “not valid”: not your name, not your number.
          </p>
          <p className="soft no-print needs-script">
            This device keeps your card, so it opens without a connection too. Logging out removes it.
          </p>
        </div>
      </div>
      {isRenewing && (
        <Notice tone="info">
          <p>We are looking at your new proof. Your card stays good until we have, however long that takes.</p>
        </Notice>
      )}
    </ProfileShell>
  );
}
