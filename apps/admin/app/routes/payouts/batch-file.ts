import { UnreadableDetailsError } from "@farthing/core/bank-details/bank-seal.ts";
import { batchFiles } from "@farthing/core/payouts/batch-files.server.ts";
import { redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actForFile } from "../../kit/actor.server.ts";
import { payoutMethodOf } from "../../kit/payout-method.server.ts";
import type { Route } from "./+types/batch-file";

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/admin/payouts/batches/${encodeURIComponent(params.number)}`, 303);
}

/** Sends one of a batch's files. A post, because each one is in the log: they hold members' bank details. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const method = payoutMethodOf(services);
  const kind = (await request.formData()).get("kind") === "csv" ? "csv" : "txt";
  const batchNumber = /^\d{1,9}$/.test(params.number) ? Number(params.number) : 0;
  if (!method)
    throw refused(409, { title: "No account", text: "Set BACS_ORIGINATOR on the server: the account to pay from." });
  const files = await actForFile(
    context,
    {
      permission: "money.change",
      action: "payout-batch.download",
      subject: { type: "payout-batch", id: String(batchNumber) },
      why: kind === "csv" ? "the CSV file" : "the Bacs file",
      changed: (found: unknown) => Array.isArray(found),
    },
    (joined) => readableFiles(joined, { batchNumber, method, now: services.now() }),
  );
  if (!files) throw refused(404, { title: "No such batch", text: "There is no batch of this number." });
  if (files === "cancelled")
    throw refused(409, { title: "Cancelled", text: "This batch was cancelled and pays nobody: it has no file." });
  if (files === "not-approved")
    throw refused(409, {
      title: "Not approved",
      text: "Somebody else has to approve this batch before its file can be made.",
    });
  if (files === "too-late")
    throw refused(409, {
      title: "Too late",
      text: "Nobody has downloaded this batch before its processing day, and the bank refuses a file of a day that has begun. Cancel it, and make a new batch.",
    });
  if (files === "details-deleted")
    throw refused(410, {
      title: "These files can’t be made again",
      text: `Bank details of batch ${batchNumber} are deleted, and no payment of a batch is left out of its files. Use the files that were downloaded before.`,
    });
  const file = files.find(({ name }) => name.endsWith(`.${kind}`));
  if (!file) throw refused(404, { title: "No such file", text: "The batch has no file of this kind." });
  return new Response(file.text, {
    headers: {
      "Content-Type": kind === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
}

async function readableFiles(...asked: Parameters<typeof batchFiles>): ReturnType<typeof batchFiles> {
  try {
    return await batchFiles(...asked);
  } catch (error) {
    if (!(error instanceof UnreadableDetailsError)) throw error;
    throw refused(409, { title: "These files can’t be made", text: error.message });
  }
}
