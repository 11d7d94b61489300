import { countExport, exportArchive } from "@farthing/core/personal-data/export-archive.server.ts";
import { href, redirect } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/export-data";
import { provedMemberOf } from "../sign-in/security-guard.ts";

const back = href("/profile/privacy");

/** Whoever comes here by its address is led to the page with the button: an archive is made by a press only. */
export function loader() {
  throw redirect(back);
}

/** Everything we know of the member who asks, and of nobody else, as one zip (product.md M5). */
export async function action({ context }: Route.ActionArgs) {
  const member = provedMemberOf(context, `${back}?note=ready`, "change");
  const { brand } = context.get(visitContext);
  const { db, attachments, now } = context.get(servicesContext);
  const at = now();
  if (!(await countExport(db, { brandId: brand.id, memberId: member.id, now: at })))
    throw redirect(`${back}?note=too-many`, 303);
  const parts = exportArchive(db, {
    brand,
    memberId: member.id,
    memberName: member.name,
    attachmentKey: attachments?.key ?? null,
    attachmentOldKeys: attachments?.oldKeys ?? [],
    now: at,
  });
  return new Response(streamOf(parts), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${brand.slug}-my-data-${at.toISOString().slice(0, 10)}.zip"`,
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}

/** Read from the database as fast as it is sent, and no further once the reader has gone. */
function streamOf(parts: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
