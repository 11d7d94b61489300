import { operatorPaymentList } from "@farthing/core/payments/operator-payments.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { paymentListing } from "./payment-list.tsx";
import type { Route } from "./+types/payments-csv";

export const loader = (args: Route.LoaderArgs) =>
  csvOfList(args, "card-payments.export", paymentListing, operatorPaymentList);
