// Runs in the browser as it is, served to the page.
/** @import { WidgetEvent } from "../../../packages/widget/src/react.ts" */
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";

const root = /** @type {HTMLElement} */ (document.querySelector("#react-root"));
const { token, redirect, addresses } = root.dataset;
const dev = JSON.parse(addresses ?? "");
// The published file from the service. It imports this shop's React through the page's import map.
const { defineEnvironments, FarthingWidget } = await import(`${dev.baseUrl}/widget/react.js`);
defineEnvironments({ dev });

createRoot(root).render(
  createElement(
    StrictMode,
    null,
    createElement(FarthingWidget, {
      token,
      environment: "dev",
      path: "/pay",
      redirect: JSON.parse(redirect ?? ""),
      showPaymentErrors: true,
      className: "payment",
      onEvent: (/** @type {WidgetEvent} */ event) => console.info("Widget:", event),
    }),
  ),
);
