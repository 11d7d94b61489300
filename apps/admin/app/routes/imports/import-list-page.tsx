import { act } from "@farthing/core/audit/act.server.ts";
import { importCatalogue, type ImportRequest } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import type { ImportProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import {
  findImportRuns,
  stopImportRun,
  withImportRun,
  type ImportRun,
} from "@farthing/core/catalogue-imports/import-runs.server.ts";
import type { FileReport, ImportResult } from "@farthing/core/catalogue-imports/import-report.ts";
import { textSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { importList, type ListedImport } from "@farthing/core/catalogue-imports/list-imports.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField, TickField } from "../../kit/fields.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { readFile } from "../../kit/read-file.server.ts";
import type { Faults } from "../../kit/read-form.ts";
import { fromBase64 } from "./from-base64.server.ts";
import { importListing } from "./import-list.tsx";
import { ImportProblems, ImportRecords, LackedOffers } from "./import-outcome.tsx";
import { ImportRuns } from "./import-runs.tsx";
import type { Route } from "./+types/import-list-page";

const kinds = {
  promotions: "Promotions: offers and their codes",
  programmes: "Programmes: retailers and what they pay",
  editorial: "The club’s own file: categories, texts, brands, pools",
} as const;
type Kind = keyof typeof kinds;

/** The file is posted a second time as base64, a third longer, when it is confirmed. */
const MAX_BYTES = 3_000_000;
const MAX_POSTED = 4_100_000;

export async function loader(args: Route.LoaderArgs) {
  const { db, feeds } = args.context.get(servicesContext);
  const networks = await findNetworkNames(db);
  return {
    networks: networks.map((network) => ({ ...network, hasFeed: feeds.has(network.slug) })),
    list: await loadList<ListedImport, "at">(args, importListing, importList),
    mayChange: may(args.context.get(operatorContext).role, "catalogue.change"),
    runs: await findImportRuns(db),
    isDone: new URL(args.request.url).searchParams.has("done"),
    isStopped: new URL(args.request.url).searchParams.has("stopped"),
  };
}

const WHOLE_LIST_FAULT =
  "Only a file of promotions can be a whole list. Untick the box, or choose promotions. Then choose the file again.";

interface Posted {
  fault: string | null;
  faults?: Faults;
  network: string;
  kind: Kind;
  /** Promotions: the file is the network's whole list, so that live offers which it lacks are withdrawn. */
  full: boolean;
  /** What was typed as the number of offers to withdraw. */
  withdraw: string;
  problems: ImportProblem[];
  problemCount: number;
  /** What the file would do; null where it is refused. */
  report: FileReport | null;
  /** The file, as base64: it is applied byte for byte. */
  file: { name: string; content: string } | null;
}

/** Reads a file and shows what it would do; with `confirmed`, applies it: all of it or nothing. With `?stop`, stops an import under way. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, feeds } = context.get(servicesContext);
  const stopped = new URL(request.url).searchParams.get("stop");
  if (stopped !== null) return await stop(context, stopped);
  const given = await readFile(request, { maxBytes: MAX_POSTED, orField: "content" });
  const answer = (posted: Partial<Posted>, status = 422) =>
    data<Posted>(
      {
        ...{
          fault: null,
          network: "",
          kind: "promotions",
          full: false,
          withdraw: "",
          problems: [],
          problemCount: 0,
          report: null,
          file: null,
        },
        ...posted,
      },
      { status },
    );
  const field = (name: string) => String(given.form?.get(name) ?? "");
  const network = field("network");
  const kind = Object.hasOwn(kinds, field("kind")) ? (field("kind") as Kind) : "promotions";
  const full = field("full") === "yes";
  if (full && kind !== "promotions") return answer({ faults: { full: WHOLE_LIST_FAULT }, network, kind, full });
  if (!given.ok) return answer({ fault: given.fault, network, kind, full });
  const isConfirmed = field("confirmed") === "yes";
  const text = isConfirmed ? fromBase64(field("content")) : given.text;
  const name = (isConfirmed ? field("fileName") : given.fileName).replaceAll(/[\p{Cc}\p{Cs}]/gu, "").slice(0, 200);
  const chosen = { network, kind, full };
  if (text === null || name === "" || Buffer.byteLength(text) > MAX_BYTES)
    return answer({
      ...chosen,
      fault: "Choose a file of at most 3 MB. For larger ones use the command catalogue:import.",
    });
  const feed = feeds.get(network) ?? null;
  if (kind !== "editorial" && !feed)
    return answer({ ...chosen, fault: "No file of this network can be read here. Choose another network." });

  const actor = actorOf(context);
  const asked: ImportRequest = { network, feed, [kind]: textSource(name, text), now: actor.now, full };
  const inRun = (work: (run: ImportRun) => Promise<ImportResult>) =>
    withImportRun(db, { source: name, by: actor.operator.email }, work);
  const file = { name, content: Buffer.from(text).toString("base64") };
  if (!isConfirmed) {
    const result = await inRun((run) => importCatalogue(db, { ...asked, run, dryRun: true }));
    if (result.outcome === "stopped") return answer({ ...chosen, fault: stoppedText(result) });
    if (result.outcome === "refused") return answer({ ...chosen, ...problemsOf(result) });
    return answer({ ...chosen, report: result.files[0] ?? null, file }, 200);
  }
  const withdraw = Number(/^\s*(\d{1,9})\s*$/.exec(field("withdraw"))?.[1] ?? Number.NaN);
  const what = {
    permission: "catalogue.change",
    action: "catalogue-import.apply",
    subject: { type: "catalogue-import", idOf: (result: ImportResult) => result.files[0]?.hash ?? "" },
    changed: (result: ImportResult) =>
      result.outcome === "imported" &&
      result.files.some(({ created, updated, withdrawn }) => created + updated + withdrawn > 0),
  } as const;
  const result = await inRun((run) =>
    act(db, actor, what, (joined) => importCatalogue(joined, { ...asked, run, withdraw })),
  );
  if (result.outcome === "stopped") return answer({ ...chosen, fault: stoppedText(result) });
  const [report] = result.files;
  if (result.outcome === "refused" && report?.lacks?.isUnconfirmed)
    return answer({
      ...{ ...chosen, report, file, withdraw: field("withdraw") },
      fault: `Nothing was imported. Type ${report.withdrawn}, the number of offers that it would withdraw.`,
    });
  if (result.outcome === "refused") return answer({ ...chosen, ...problemsOf(result) });
  await indexCatalogue(db, { now: actor.now });
  return redirect("/admin/imports?done", 303);
}

const stoppedText = ({ by }: { by: string }) => `Stopped by ${by}. Nothing was imported.`;

async function stop(context: Route.ActionArgs["context"], id: string) {
  const actor = actorOf(context);
  const isStopped = await act(
    context.get(servicesContext).db,
    actor,
    { permission: "catalogue.change", action: "import-run.stop", subject: { type: "import-run", id } },
    (joined) => stopImportRun(joined, { id, by: actor.operator.email }),
  );
  return redirect(`/admin/imports${isStopped ? "?stopped" : ""}`, 303);
}

const problemsOf = ({ problems, problemCount }: ImportResult & { outcome: "refused" }) => ({ problems, problemCount });

export default function ImportListPage({
  loaderData: { networks, list, mayChange, isDone, runs, isStopped },
  actionData: posted,
}: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Imports"
        intro="Files of networks, and the club’s own. A file is read first, and applied after you have seen what it does: all of it or nothing."
      />
      {isDone && !posted && <Notice tone="good">Imported. The site and the search have it.</Notice>}
      {isStopped && !posted && <Notice>Stopped. It ends within seconds, and nothing of it is kept.</Notice>}
      <FaultSummary faults={posted?.faults} />
      {posted?.fault && <Notice tone="bad">{posted.fault}</Notice>}
      {posted && posted.problemCount > 0 && <ImportProblems {...posted} />}
      {posted?.report && posted.file && <Report posted={posted} report={posted.report} file={posted.file} />}
      {runs.length > 0 && <ImportRuns runs={runs} mayStop={mayChange} />}
      <p>
        <a href="/admin/offers/file">Offers of the club’s own, as a CSV file</a>
      </p>
      {mayChange && !posted?.report && (
        <form method="post" action="/admin/imports" encType="multipart/form-data" className="panel">
          <SelectField
            name="network"
            label="Network"
            help="Whose numbers the file has."
            choices={networks.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={posted?.network || networks[0]?.slug}
          />
          <SelectField
            name="kind"
            label="What the file has"
            choices={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
            value={posted?.kind ?? "promotions"}
          />
          <TickField
            name="full"
            label="This file is the network’s whole list"
            help="Promotions only. Live offers of the network that are not in the file are withdrawn. You see the list before anything changes."
            typed={posted?.full ? { full: "yes" } : {}}
            faults={posted?.faults}
          />
          <div className="field">
            <label htmlFor="file">The file</label>
            <p className="field-help" id="file-help">
              As the network exports it: JSON, XML or CSV in UTF-8, at most 3 MB.
            </p>
            <input id="file" name="file" type="file" required aria-describedby="file-help" />
          </div>
          <p>
            <button className="button is-main">Read it, without applying</button>
          </p>
        </form>
      )}
      <ListScreen list={importListing} loaded={list} empty={<p>Nothing was imported yet.</p>} />
    </>
  );
}

function Report({ posted, report, file }: { posted: Posted; report: FileReport; file: NonNullable<Posted["file"]> }) {
  const changes = report.created + report.updated;
  return (
    <section className="panel" aria-labelledby="report">
      <h2 id="report">What {file.name} would do</h2>
      <p>
        Of {report.read} records it makes {report.created} and changes {report.updated};{" "}
        {Math.max(0, report.read - changes)} are as they are. What operators have set of an offer stays.
      </p>
      {report.warnings.length > 0 && (
        <ul>
          {report.warnings.slice(0, 100).map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <ImportRecords records={report.records ?? []} changes={changes} />
      {report.lacks && <LackedOffers withdrawn={report.withdrawn} {...report.lacks} />}
      <form method="post" action="/admin/imports" encType="multipart/form-data">
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="network" value={posted.network} />
        <input type="hidden" name="kind" value={posted.kind} />
        {posted.full && <input type="hidden" name="full" value="yes" />}
        {report.lacks?.isUnconfirmed && (
          <TextField
            name="withdraw"
            label="How many offers it withdraws"
            help={`Type ${report.withdrawn} if the file is the whole list. If it is one page of it, or cut short, cancel and read it without the box.`}
            inputMode="numeric"
            max={9}
            value={posted.withdraw}
          />
        )}
        <input type="hidden" name="fileName" value={file.name} />
        <input type="hidden" name="content" value={file.content} />
        <p className="acts">
          {changes + report.withdrawn > 0 ? (
            <button className="button is-main">Apply it</button>
          ) : (
            <span>It changes nothing, so there is nothing to apply.</span>
          )}
          <a href="/admin/imports">Cancel</a>
        </p>
      </form>
    </section>
  );
}
