// @ts-nocheck -- runs in the browser as it is, served to the page
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { defineEnvironments, FarthingWidget } from "payment-widget/react";

const root = document.querySelector("#react-root");
const { token, redirect, addresses } = root.dataset;
defineEnvironments({ dev: JSON.parse(addresses) });

createRoot(root).render(
  createElement(
    StrictMode,
    null,
    createElement(FarthingWidget, {
      token,
      environment: "dev",
      path: "/pay",
      redirect: JSON.parse(redirect),
      className: "payment",
      onEvent: (event) => console.info("Widget:", event),
    }),
  ),
);
