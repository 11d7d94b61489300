import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { connectHost, type RedirectConfiguration } from "@farthing/widget/frame";
import { lazyChunks } from "../../lazy-chunks.ts";
import { keepsCookies } from "../partners/keeps-cookies.ts";
import { startPayment, type OrderPayment } from "./portal-payment.ts";
import { watchOrder } from "./watch-order.ts";

const RESIZE_DELAY_MS = 300;

/**
 * Connects a page of the portal to the page around the frame (W3): reports its size, opens other sites outside, says
 * where going back would lose an order, and takes the payment of an order there.
 */
export function startPortal({ dataset }: HTMLElement): void {
  let payment: OrderPayment | null = null;
  let redirect: RedirectConfiguration | null = null;
  const isKnown = keepsCookies();
  const host = connectHost({
    hostOrigins: [dataset["portalHost"] ?? ""],
    identifier: "portal",
    resizeDelayMs: RESIZE_DELAY_MS,
    ...(isKnown ? {} : { problem: { status: 401, reason: "no-cookies" } }),
    onPaymentComplete: ({ token }) => payment?.paid(token),
    onRedirectConfig(configuration) {
      redirect = configuration;
      payment?.returnTo(redirect);
    },
  });
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-opens-outside]") : null;
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    host.openUrl(link.href, true);
  });
  if (!isKnown) {
    void loadModule(lazyChunks.portalCookies, () => import("./ask-for-cookies.ts")).then(({ askForCookies }) =>
      askForCookies(),
    );
    return;
  }
  const order = document.querySelector<HTMLElement>("[data-order]");
  if (!order) return;
  const { noBack } = order.dataset;
  if (noBack !== undefined) host.navigationNoBack(noBack);
  const watch = watchOrder(order);
  if (order.dataset["watches"] !== undefined) watch.gently();
  const form = order.querySelector<HTMLFormElement>("form[data-pays]");
  if (!form) return;
  payment = startPayment(form, { host, watch });
  if (redirect) payment.returnTo(redirect);
}
