import { html } from "hono/html";
import type { Html } from "./plain-page.ts";

const format = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "Europe/London",
});

/** Formats a moment in British time, with the exact time in the markup. */
export function clock(time: number): Html {
  return html`<time datetime="${new Date(time).toISOString()}">${format.format(time)}</time>`;
}
