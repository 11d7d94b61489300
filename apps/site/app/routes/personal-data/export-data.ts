import { countExport, exportArchive } from "@farthing/core/personal-data/export-archive.server.ts";
import { href, redirect } from "react-router";
import { downloadResponse } from "../../download-response.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/export-data";
import { provedMemberOf } from "../sign-in/security-guard.ts";

const PRIVACY = href("/profile/privacy");

/** People who open the address are sent to the page with the button. Only the button makes an archive. */
export function loader() {
  throw redirect(PRIVACY);
}

/** Returns everything we know of this member, and of nobody else, as one zip (M5). */
export async function action({ context }: Route.ActionArgs) {
  const member = provedMemberOf(context, `${PRIVACY}?note=ready`, "change");
  const { brand } = context.get(visitContext);
  const { db, attachments, telemetryUsersOf, now } = context.get(servicesContext);
  const at = now();
  if (!(await countExport(db, { brandId: brand.id, memberId: member.id, now: at })))
    throw redirect(`${PRIVACY}?note=too-many`, 303);
  const parts = exportArchive(db, {
    brand,
    memberId: member.id,
    memberName: member.name,
    attachmentKey: attachments?.key ?? null,
    attachmentOldKeys: attachments?.oldKeys ?? [],
    telemetryUsers: telemetryUsersOf?.({ brandId: brand.id, memberId: member.id }) ?? [],
    now: at,
  });
  return downloadResponse(parts, {
    "Content-Type": "application/zip",
    "Content-Disposition": `attachment; filename="${brand.slug}-my-data-${at.toISOString().slice(0, 10)}.zip"`,
  });
}
