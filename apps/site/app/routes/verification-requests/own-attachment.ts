import { openOwnAttachment } from "@farthing/core/attachments/store.server.ts";
import { downloadResponse } from "../../download-response.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/own-attachment";

/**
 * Returns a member's own file while we have it, as a download that never replaces the page. For anybody else the file
 * does not exist.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { brand, member } = context.get(visitContext);
  const { db, attachments } = context.get(servicesContext);
  const file =
    member && attachments
      ? await openOwnAttachment(db, {
          publicId: params.id,
          memberId: member.id,
          brandId: brand.id,
          key: attachments.key,
          oldKeys: attachments.oldKeys ?? [],
        })
      : null;
  if (!file) throw new Response(null, { status: 404 });
  const name = savedName(file.originalName, file.mediaType);
  return downloadResponse(file.parts(), {
    "Content-Type": file.mediaType,
    "Content-Length": String(file.size),
    "Content-Disposition": `attachment; filename="${asciiOnly(name)}"; filename*=UTF-8''${encodeStrictly(name)}`,
  });
}

/** A PNG has been rewritten as a JPEG. */
function savedName(name: string, mediaType: string): string {
  return `${name.replace(/\.[^.]*$/, "")}.${mediaType === "application/pdf" ? "pdf" : "jpg"}`;
}

function asciiOnly(name: string): string {
  return name.replace(/[^ -~]|["\\%]/g, "_");
}

function encodeStrictly(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
