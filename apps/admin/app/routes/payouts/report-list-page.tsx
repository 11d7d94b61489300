import { act } from "@farthing/core/audit/act.server.ts";
import { FailuresFileError } from "@farthing/core/payouts/provider.ts";
import { reportList, type ListedReport } from "@farthing/core/payouts/list-reports.server.ts";
import { readReport } from "@farthing/core/payouts/reports.server.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { payoutMethodOf } from "../../kit/payout-method.server.ts";
import { readFile } from "../../kit/read-file.server.ts";
import { reportListing } from "./report-list.tsx";
import type { Route } from "./+types/report-list-page";

export function loader(args: Route.LoaderArgs) {
  const now = args.context.get(servicesContext).now();
  return loadList<ListedReport, "read">(args, reportListing, (filters) => reportList(filters, { now }));
}

const MAX_BYTES = 10_000_000;

/** Reads a report and shows what it would do. Nothing is applied yet. */
export async function action({ context, request }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const { db } = services;
  const method = payoutMethodOf(services);
  if (!method)
    return data({ fault: "There is no account to pay from: set BACS_ORIGINATOR on the server." }, { status: 409 });
  const file = await readFile(request, { maxBytes: MAX_BYTES });
  if (!file.ok) return data({ fault: file.fault }, { status: 422 });
  const { fileName, text } = file;
  const actor = actorOf(context);
  try {
    const what = {
      permission: "money.change",
      action: "payout-report.read",
      subject: { type: "payout-report", idOf: ({ publicId }: { publicId: string }) => publicId },
      changed: ({ isNew }: { isNew: boolean }) => isNew,
    } as const;
    const { publicId, isNew } = await act(db, actor, what, (joined) =>
      readReport(joined, { method, fileName, text, by: actor.operator.email, now: actor.now }),
    );
    return redirect(`/admin/payouts/reports/${publicId}${isNew ? "" : "?again=1"}`, 303);
  } catch (error) {
    if (!(error instanceof FailuresFileError)) throw error;
    return data({ fault: `Nothing was read. ${error.message}` }, { status: 422 });
  }
}

export default function ReportListPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Bank reports"
        crumbs={[{ label: "Payouts", href: "/admin/payouts" }]}
        intro="What the bank reports of payments that did not arrive. A file is read first, and applied after you have seen what it does. One that was read by mistake can be discarded."
      />
      <form method="post" action="/admin/payouts/reports" encType="multipart/form-data" className="panel">
        <div className="field" data-has-fault={actionData ? "" : undefined}>
          <label htmlFor="file">The bank’s file</label>
          <p className="field-help" id="file-help">
            ARUCS as XML, or CSV with the columns reference, amount and code. At most 10 MB.
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".xml,.csv,.txt,text/csv,text/xml,application/xml"
            required
            aria-describedby={actionData ? "file-help file-fault" : "file-help"}
            aria-invalid={actionData ? true : undefined}
          />
        </div>
        {actionData && (
          <div id="file-fault">
            <Notice tone="bad">{actionData.fault}</Notice>
          </div>
        )}
        <p>
          <button className="button is-main">Read it, without applying</button>
        </p>
      </form>
      <ListScreen list={reportListing} loaded={loaderData} empty={<p>No report was read yet.</p>} />
    </>
  );
}
