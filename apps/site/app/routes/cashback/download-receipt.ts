import { findReceipt } from "@farthing/core/cashback/find-receipt.server.ts";
import { receiptJson, receiptText } from "@farthing/core/cashback/receipt.ts";
import { clickNumberOf } from "@farthing/core/cashback/schema.ts";
import { data } from "react-router";
import { downloadResponse } from "../../download-response.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/download-receipt";

const FILES = {
  text: { write: receiptText, type: "text/plain; charset=utf-8", ending: "txt" },
  json: { write: receiptJson, type: "application/json", ending: "json" },
} as const;

/** Returns the receipt of a member's own click as a file (C5). */
export async function loader({ context, params }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { brand } = context.get(visitContext);
  const { db } = context.get(servicesContext);
  const clickNumber = clickNumberOf(params.number);
  const file = params.file === "text" || params.file === "json" ? FILES[params.file] : null;
  const receipt = file && clickNumber && (await findReceipt(db, { memberId: member.id, clickNumber }));
  if (!file || !receipt) throw data(null, 404);
  const bytes = new TextEncoder().encode(file.write(receipt, { brandName: brand.name }));
  return downloadResponse(only(bytes), {
    "Content-Type": file.type,
    "Content-Disposition": `attachment; filename="${brand.slug}-receipt-${receipt.clickNumber}.${file.ending}"`,
  });
}

async function* only(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield await Promise.resolve(bytes);
}
