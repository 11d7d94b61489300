import { operatorPaymentList, type OperatorPayment } from "@farthing/core/payments/operator-payments.server.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { paymentListing } from "./payment-list.tsx";
import type { Route } from "./+types/payment-list-page";

export function loader(args: Route.LoaderArgs) {
  return loadList<OperatorPayment, "made">(args, paymentListing, operatorPaymentList);
}

export default function PaymentListPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Card payments">
        <a className="button" href="/admin/disputes">
          Disputes
        </a>
      </PageHead>
      <ListScreen list={paymentListing} loaded={loaderData} empty={<p>Nobody has paid by card yet.</p>} />
    </>
  );
}
