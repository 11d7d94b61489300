import type { ImportProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import type { FileReport } from "@farthing/core/catalogue-imports/import-report.ts";
import { textSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { importOffers, MAX_OFFERS_IN_FILE } from "@farthing/core/catalogue/offers/import-offers.server.ts";
import { offerColumns } from "@farthing/core/catalogue/offers/offers-csv.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readFile } from "../../kit/read-file.server.ts";
import { fromBase64 } from "../imports/from-base64.server.ts";
import { ImportProblems, ImportRecords } from "../imports/import-outcome.tsx";
import type { Route } from "./+types/offers-file-page";

const PATH = "/admin/offers/file";
/** The file is posted a second time as base64, a third longer, when it is confirmed. */
const MAX_BYTES = 3_000_000;
const MAX_POSTED = 4_100_000;

export function loader({ context, request }: Route.LoaderArgs) {
  return {
    maxOffers: MAX_OFFERS_IN_FILE,
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    isDone: new URL(request.url).searchParams.has("done"),
  };
}

interface Posted {
  fault: string | null;
  problems: ImportProblem[];
  problemCount: number;
  /** What the file would do; null where it is refused. */
  report: FileReport | null;
  /** The file, as base64: it is applied byte for byte. */
  file: { name: string; content: string } | null;
}

/** Reads a file of the club's own offers and shows what it would do; with `confirmed`, applies it: all of it or nothing. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const given = await readFile(request, { maxBytes: MAX_POSTED, orField: "content" });
  const answer = (posted: Partial<Posted>, status = 422) =>
    data<Posted>({ fault: null, problems: [], problemCount: 0, report: null, file: null, ...posted }, { status });
  if (!given.ok) return answer({ fault: given.fault });
  const isConfirmed = given.form.get("confirmed") === "yes";
  const text = isConfirmed ? fromBase64(String(given.form.get("content") ?? "")) : given.text;
  const name = (isConfirmed ? String(given.form.get("fileName") ?? "") : given.fileName)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, "")
    .slice(0, 200);
  if (text === null || name === "" || Buffer.byteLength(text) > MAX_BYTES)
    return answer({ fault: "Choose a CSV file of at most 3 MB." });
  const result = await importOffers(db, {
    actor: actorOf(context),
    source: textSource(name, text),
    dryRun: !isConfirmed,
  });
  if (result.outcome === "refused") return answer({ problems: result.problems, problemCount: result.problemCount });
  if (result.outcome === "imported") return redirect(`${PATH}?done`, 303);
  const file = { name, content: Buffer.from(text).toString("base64") };
  return answer({ report: result.files[0] ?? null, file }, 200);
}

export default function OffersFilePage({
  loaderData: { maxOffers, mayChange, isDone },
  actionData: posted,
}: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="The club’s own offers as a file"
        crumbs={[{ label: "Offers", href: "/admin/offers" }]}
        intro="Make or change many offers at once: in a spreadsheet, saved as CSV in UTF-8. A file is read first, and applied after you have seen what it does: all of it or nothing."
      >
        <a href="/admin/offers/own.csv">The offers as they are</a>
        <a href="/admin/offers/file/template">Template</a>
      </PageHead>
      {isDone && !posted && <Notice tone="good">Imported. The site and the search have it.</Notice>}
      {posted?.fault && <Notice tone="bad">{posted.fault}</Notice>}
      {posted && posted.problemCount > 0 && <ImportProblems {...posted} />}
      {posted?.report && posted.file && <Question report={posted.report} file={posted.file} />}
      {mayChange && !posted?.report && (
        <form method="post" action={PATH} encType="multipart/form-data" className="panel">
          <div className="field">
            <label htmlFor="file">The file</label>
            <p className="field-help" id="file-help">
              CSV in UTF-8 with commas, at most {maxOffers} offers. Offers that it lacks stay as they are.
            </p>
            <input id="file" name="file" type="file" accept=".csv,text/csv" required aria-describedby="file-help" />
          </div>
          <p>
            <button className="button is-main">Read it, without applying</button>
          </p>
        </form>
      )}
      <section className="panel" aria-labelledby="columns">
        <h2 id="columns">The columns</h2>
        <p className="soft">All have to be there, in any order.</p>
        <Facts facts={Object.entries(offerColumns).map(([name, holds]) => ({ label: name, value: holds }))} />
      </section>
    </>
  );
}

function Question({ report, file }: { report: FileReport; file: NonNullable<Posted["file"]> }) {
  const changes = report.created + report.updated;
  return (
    <section className="panel" aria-labelledby="report">
      <h2 id="report">What {file.name} would do</h2>
      <p>
        Of {report.read} {report.read === 1 ? "offer" : "offers"} it makes {report.created} and changes {report.updated}
        ; {report.read - changes} are as they are.
      </p>
      <ImportRecords records={report.records ?? []} changes={changes} />
      <form method="post" action={PATH} encType="multipart/form-data">
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="fileName" value={file.name} />
        <input type="hidden" name="content" value={file.content} />
        <p className="acts">
          {changes > 0 ? (
            <button className="button is-main">Apply it</button>
          ) : (
            <span>It changes nothing, so there is nothing to apply.</span>
          )}
          <a href={PATH}>Cancel</a>
        </p>
      </form>
    </section>
  );
}
