import { faultOf, tellFault, type Area } from "@farthing/core/brands/own-colours.ts";

/** How long after the last key the preview is shown again. */
const PREVIEW_MS = 500;

/** Checks the colours of a brand while they are typed, offers the nearest that pass, and keeps the preview up to date. */
export function startColours(): void {
  const all = document.querySelector<HTMLElement>("[data-colours]");
  if (!all) return;
  const grounds = JSON.parse(all.dataset["colours"] ?? "[]") as string[];
  for (const group of all.querySelectorAll<HTMLElement>("[data-area]")) {
    group.querySelector("[data-says]")?.setAttribute("role", "status");
    group.addEventListener("input", () => check(group, grounds));
  }
  const form = all.closest("form");
  const shows = document.querySelector<HTMLButtonElement>("[data-previews]");
  let timer: ReturnType<typeof setTimeout> | undefined;
  form?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => shows?.click(), PREVIEW_MS);
  });
  // A browser drops a form's submission when the form is submitted again in the same moment: nothing would be saved.
  form?.addEventListener("submit", () => clearTimeout(timer));
}

/** Returns a colour as the server reads it; null while it is not complete. */
function read(input: HTMLInputElement | null): string | null {
  const text = `#${input?.value.trim().toLowerCase().replace(/^#/, "") ?? ""}`;
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  return /^#[0-9a-f]{3}$/.test(text) ? text.replaceAll(/[0-9a-f]/g, "$&$&") : null;
}

function check(group: HTMLElement, grounds: readonly string[]): void {
  const field = (part: string) => group.querySelector<HTMLInputElement>(`[data-part="${part}"]`);
  const says = group.querySelector<HTMLElement>("[data-says]");
  const [ground, text] = [read(field("ground")), read(field("text"))];
  if (!says) return;
  if (!ground || !text) {
    delete says.dataset["isBad"];
    says.textContent = "Six digits and letters from a to f: #1f4d3f";
    return;
  }
  group.querySelector("rect")?.setAttribute("fill", ground);
  group.querySelector("text")?.setAttribute("fill", text);
  group.querySelector("svg")?.setAttribute("aria-label", `${text} on ${ground}`);
  const fault = faultOf(group.dataset["area"] as Area, { ground, text }, grounds);
  says.toggleAttribute("data-is-bad", fault !== null);
  says.textContent = fault ? tellFault(fault) : "Can be read in every state.";
  for (const part of ["ground", "text"]) field(part)?.toggleAttribute("aria-invalid", fault?.part === part);
  if (!fault?.nearest) return;
  const { nearest, part } = fault;
  const use = document.createElement("button");
  use.type = "button";
  use.className = "button";
  use.textContent = `Use ${nearest}`;
  use.addEventListener("click", () => {
    const input = field(part);
    if (!input) return;
    input.value = nearest;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
  says.append(" ", use);
}
