import { actOutside } from "@farthing/core/audit/act.server.ts";
import {
  findReportFiles,
  importReportFile,
  previewReportFile,
  reportFileHash,
  type FileRow,
} from "@farthing/core/cashback/import-report-file.server.ts";
import { findNetworkIds } from "@farthing/core/networks/queries.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { SelectField, TextField } from "../../kit/fields.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readFile } from "../../kit/read-file.server.ts";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { fromBase64 } from "../imports/from-base64.server.ts";
import { ReportFilePreview, type Preview } from "./report-file-preview.tsx";
import type { Route } from "./+types/report-file-page";

/** The file is posted a second time as base64, a third longer, when it is confirmed. */
const MAX_BYTES = 3_000_000;
const MAX_POSTED = 4_100_000;
/** Rows of a preview that are shown; all are counted. */
const MAX_SHOWN = 300;
const PATH = "/admin/networks/report-file";

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, networks } = context.get(servicesContext);
  const [known, files] = await Promise.all([findNetworkIds(db), findReportFiles(db)]);
  return {
    networks: known.filter(({ slug }) => networks.get(slug)).map(({ slug, name }) => ({ value: slug, label: name })),
    files,
    done: files.find(({ contentHash }) => contentHash === new URL(request.url).searchParams.get("done")) ?? null,
    mayImport: may(context.get(operatorContext).role, "money.change"),
  };
}

interface Posted {
  typed: Typed;
  faults: Faults;
  preview: Preview | null;
}

/** Reads a file and shows what it would do; with `confirmed`, stores it. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, networks, now } = context.get(servicesContext);
  const given = await readFile(request, { maxBytes: MAX_POSTED, orField: "content" });
  const answer = (posted: Partial<Posted>, status = 422) =>
    data<Posted>({ typed: {}, faults: {}, preview: null, ...posted }, { status });
  const { content: _content, ...typed } = typedIn(given.form ?? new FormData());
  if (!given.ok) return answer({ typed, faults: { file: given.fault } });
  const isConfirmed = typed["confirmed"] === "yes";
  const text = isConfirmed ? fromBase64(String(given.form.get("content") ?? "")) : given.text;
  const fileName = (isConfirmed ? (typed["fileName"] ?? "") : given.fileName)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, "")
    .slice(0, 200);
  const form = checkForm(
    typed,
    z.object({
      network: z.string().refine((slug) => networks.get(slug) !== undefined, "Choose a network that is set up."),
      downloadedOn: z.iso
        .date("Give the day on which the file was downloaded.")
        .refine((day) => day <= dayOf(now()), "That day has not come yet."),
    }),
  );
  const reason = checkForm(typed, z.object({ why: whySchema }));
  const network = (await findNetworkIds(db)).find(({ slug }) => slug === typed["network"]);
  const provider = networks.get(network?.slug ?? "");
  if (text === null || fileName === "" || Buffer.byteLength(text) > MAX_BYTES)
    return answer({ typed, faults: { file: "Choose a file of at most 3 MB, or a shorter time at the network." } });
  const isNameable = network !== undefined && provider !== undefined;
  if (!isNameable || !form.ok)
    return answer({ typed, faults: form.ok ? { network: "Choose a network that is set up." } : form.faults });

  const downloadedAt = new Date(`${form.value.downloadedOn}T00:00:00Z`);
  const report = provider.readReportFile(text, downloadedAt);
  if (report.outcome === "unreadable") return answer({ typed, faults: { file: report.problem } });
  const { transactions: rows, unreadable } = report.answer;
  const actor = actorOf(context);
  const previewed = async (status: number, faults: Faults = {}) => {
    const all = await previewReportFile(db, { networkId: network.id, rows, now: actor.now });
    const preview = previewOf(all, { fileName, text, unreadable });
    return answer({ typed, faults, preview }, status);
  };
  if (!isConfirmed) return await previewed(200);
  if (!reason.ok) return await previewed(422, reason.faults);

  const contentHash = reportFileHash(network.slug, text);
  const what = {
    permission: "money.change",
    action: "network-report.import",
    subject: { type: "network-report", id: contentHash },
    why: reason.value.why,
  } as const;
  await actOutside(db, actor, what, (own) =>
    importReportFile(own, {
      ...{ networkId: network.id, contentHash, fileName, downloadedAt, rows, unreadable: unreadable.length },
      ...{ by: actor.operator.email, now: actor.now },
    }),
  );
  return redirect(`${PATH}?done=${contentHash}`, 303);
}

function previewOf(
  all: readonly FileRow[],
  { fileName, text, unreadable }: { fileName: string; text: string; unreadable: readonly string[] },
): Preview {
  const counts: Preview["counts"] = {};
  for (const { outcome, heldBecause } of all) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const key = heldBecause === null ? "credited" : "held";
    if (outcome === "new" || outcome === "changed") counts[key] = (counts[key] ?? 0) + 1;
  }
  const changes = ({ outcome }: FileRow) => outcome !== "unchanged" && outcome !== "stale";
  return {
    ...{ fileName, counts, count: all.length },
    content: Buffer.from(text).toString("base64"),
    rows: [...all.filter(changes), ...all.filter((row) => !changes(row))].slice(0, MAX_SHOWN),
    unreadable: unreadable.slice(0, 100),
    unreadableCount: unreadable.length,
  };
}

export default function ReportFilePage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { networks, files, mayImport, done } = loaderData;
  const { typed, faults } = posted ?? {};
  return (
    <>
      <PageHead
        title="Report from a file"
        intro="For days on which a network’s API did not answer, or lacks sales. The file counts as if the API had answered it: a sale that is known is not counted twice."
        crumbs={[{ label: "Networks", href: "/admin/networks" }]}
      />
      {done && !posted && (
        <Notice tone={done.failed + done.unreadable > 0 ? "warn" : "good"}>
          {done.fileName} is stored: {done.created} new, {done.changed} changed.
          {done.failed > 0 && ` ${counted(done.failed, "sale")} could not be stored: give the file again.`}
          {done.unreadable > 0 && ` ${counted(done.unreadable, "row")} could not be read.`}
        </Notice>
      )}
      {posted?.preview ? (
        <ReportFilePreview preview={posted.preview} typed={posted.typed} faults={posted.faults} path={PATH} />
      ) : (
        mayImport &&
        (networks.length === 0 ? (
          <p className="empty">No network is set up.</p>
        ) : (
          <form method="post" action={PATH} encType="multipart/form-data" className="panel">
            <SelectField
              name="network"
              label="Network"
              help="Whose report it is."
              choices={networks}
              value={networks[0]?.value}
              {...{ typed, faults }}
            />
            <TextField
              name="downloadedOn"
              label="Downloaded on"
              help="The day on which the network made the file, also where you got it later. What the API has said since about the same change of a sale stays."
              type="date"
              {...{ typed, faults }}
            />
            <div className="field" data-has-fault={faults?.["file"] ? "" : undefined}>
              <label htmlFor="file">The file</label>
              <p className="field-help" id="file-help">
                As the network’s API writes it: JSON, or CSV in UTF-8 with the API’s fields as columns; at most 3 MB.
              </p>
              <input
                id="file"
                name="file"
                type="file"
                required
                aria-invalid={faults?.["file"] ? true : undefined}
                aria-describedby={faults?.["file"] ? "file-help file-fault" : "file-help"}
              />
              {faults?.["file"] && (
                <p className="field-fault" id="file-fault">
                  {faults["file"]}
                </p>
              )}
            </div>
            <p>
              <button className="button is-main">Read it, without storing</button>
            </p>
          </form>
        ))
      )}
      <section className="panel" aria-labelledby="files">
        <h2 id="files">Imported last</h2>
        {files.length === 0 ? (
          <p className="soft">No report was given as a file yet.</p>
        ) : (
          <ul className="plain-list">
            {files.map(({ contentHash, fileName, network, read, created, changed, failed, importedAt, importedBy }) => (
              <li key={contentHash}>
                <strong>{fileName}</strong>, {network}: {counted(read, "sale")}, {created} new, {changed} changed
                {failed > 0 && `, ${failed} not stored`}. By {importedBy}, <Moment at={importedAt} />.
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
