// Runs in the browser as it is, served to the page.
/** @import { EnvironmentName, FarthingScript, ScriptProperties } from "../../../packages/widget/src/script.ts" */

/**
 * Returns the element of the page.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
function find(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`This page has no ${selector}.`);
  return found;
}

const form = find("#properties", HTMLFormElement);
const host = find("#widget", HTMLElement);
const log = find("#log", HTMLElement);
const applied = find("#applied", HTMLElement);
const reference = find(".reference", HTMLElement).textContent;
const MAX_LINES = 200;

/**
 * @param {string} key
 * @param {unknown} value
 */
const shorten = (key, value) =>
  /secret|token|ephemeralKey/i.test(key) && typeof value === "string" ? `${value.slice(0, 6)}…` : value;

/**
 * @param {string} kind
 * @param {unknown} value
 */
function write(kind, value) {
  const line = document.createElement("li");
  const label = document.createElement("b");
  label.textContent = `${new Date().toLocaleTimeString("en-GB")} ${kind}`;
  const text = document.createElement("code");
  text.textContent = typeof value === "string" ? value : JSON.stringify(value, shorten);
  line.append(label, " ", text);
  log.prepend(line);
  while (log.children.length > MAX_LINES) log.lastElementChild?.remove();
}

// Logs the frame's messages to this page. Messages to the frame reach the frame only.
addEventListener("message", ({ data, source }) => {
  if (source !== host.querySelector("iframe")?.contentWindow || typeof data !== "string") return;
  try {
    write("message", JSON.parse(data));
  } catch {
    write("message", "not JSON, ignored");
  }
});

function readProperties() {
  const typed = new FormData(form);
  /** @param {string} name */
  const text = (name) => String(typed.get(name) ?? "");
  /** @type {Omit<ScriptProperties, "token">} */
  const properties = {
    environment: /** @type {EnvironmentName} */ (text("environment")),
    path: text("path"),
    showPaymentErrors: typed.has("showPaymentErrors"),
    onEvent: (event) => write("event", event),
  };
  if (text("redirect").trim() !== "") properties.redirect = JSON.parse(text("redirect"));
  return { properties, look: { className: text("className"), style: { height: text("height") } } };
}

/** @type {ReturnType<FarthingScript["mount"]> | null} */
let widget = null;

/**
 * A token is valid for one load, so every change mounts a new widget.
 * @param {string} token
 */
function mount(token) {
  try {
    const { properties, look } = readProperties();
    widget?.destroy();
    widget = null;
    widget = window.Farthing.mount(host, { token, ...look, ...properties });
    write("mounted", { ...properties, ...look });
    applied.textContent = "Applied.";
  } catch (error) {
    write("refused", String(error));
    applied.textContent = String(error);
  }
}

async function applyChanges() {
  applied.textContent = "Asking for a token …";
  try {
    const answer = await (await fetch("/token", { method: "POST", body: reference })).json();
    if (answer.ok) mount(answer.token);
    else applied.textContent = answer.reason;
  } catch (error) {
    applied.textContent = `No token: ${String(error)}`;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void applyChanges();
});

function start() {
  mount(host.dataset["token"] ?? "");
  delete host.dataset["token"];
}
if (window.Farthing) start();
else find('script[src*="farthing-widget"]', HTMLScriptElement).addEventListener("load", start);
