import { Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { BatchActs } from "./batch-acts.tsx";
import { BatchFacts } from "./batch-facts.tsx";
import { BatchQuestion } from "./batch-question.tsx";
import { changeBatchAs } from "./change-batch.server.ts";
import { LargestPayments } from "./largest-payments.tsx";
import { loadBatch } from "./load-batch.server.ts";
import type { Route } from "./+types/batch-page";

export function loader({ context, params }: Route.LoaderArgs) {
  return loadBatch(context, params.number);
}

export function action({ context, params, request }: Route.ActionArgs) {
  return changeBatchAs(context, { number: params.number, request });
}

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { batch } = loaderData;
  const path = `/admin/payouts/batches/${batch.batchNumber}`;
  return (
    <>
      <PageHead
        title={`Batch ${batch.batchNumber}`}
        crumbs={[
          { label: "Payouts", href: "/admin/payouts" },
          { label: "Batches", href: "/admin/payouts/batches" },
        ]}
      >
        <a href={`/admin/audit/payout-batch/${batch.batchNumber}`}>History</a>
      </PageHead>
      {actionData?.said && <Notice tone={actionData.said.tone}>{actionData.said.text}</Notice>}
      {actionData?.ask && (batch.state === "waiting" || loaderData.mayConfirm || loaderData.mayCancel) && (
        <BatchQuestion
          ask={actionData.ask}
          batch={batch}
          path={path}
          faults={actionData.faults}
          typed={actionData.typed}
        />
      )}
      <div className="split">
        <BatchFacts batch={batch} />
        <BatchActs {...loaderData} path={path} />
      </div>
      {batch.largest.length > 0 && <LargestPayments batch={batch} maySeeMembers={loaderData.maySeeMembers} />}
    </>
  );
}
