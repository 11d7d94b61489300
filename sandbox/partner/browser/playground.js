// @ts-nocheck -- runs in the browser as it is, served to the page
const form = document.querySelector("#properties");
const host = document.querySelector("#widget");
const log = document.querySelector("#log");
const applied = document.querySelector("#applied");
const reference = document.querySelector(".reference").textContent;
const MOST_LINES = 200;

const shorten = (key, value) =>
  /secret|token|ephemeralKey/i.test(key) && typeof value === "string" ? `${value.slice(0, 6)}…` : value;

function write(kind, value) {
  const line = document.createElement("li");
  const label = document.createElement("b");
  label.textContent = `${new Date().toLocaleTimeString("en-GB")} ${kind}`;
  const text = document.createElement("code");
  text.textContent = typeof value === "string" ? value : JSON.stringify(value, shorten);
  line.append(label, " ", text);
  log.prepend(line);
  while (log.children.length > MOST_LINES) log.lastElementChild.remove();
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
  const { environment, path, redirect, height, className, showPaymentErrors } = form.elements;
  const properties = {
    environment: environment.value,
    path: path.value,
    showPaymentErrors: showPaymentErrors.checked,
    onEvent: (event) => write("event", event),
  };
  if (redirect.value.trim() !== "") properties.redirect = JSON.parse(redirect.value);
  return { properties, look: { className: className.value, style: { height: height.value } } };
}

let widget = null;

/** A token is valid for one load, so every change mounts a new widget. */
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
  mount(host.dataset.token);
  delete host.dataset.token;
}
if (window.Farthing) start();
else document.querySelector('script[src*="farthing-widget"]').addEventListener("load", start);
