import { r as tellMistake, t as mountWidget } from "./shared-mount-widget.js";

// src/farthing-widget-element.ts
/** A server has no HTMLElement. The module can be imported there, but the class is never instantiated. */
const Base = globalThis.HTMLElement ?? class {};
/** The element's attributes: names of properties, and how each is read. Every HTML element has style and className. */
const yes = (value) => value !== null;
const json = (value) => value ? JSON.parse(value) : void 0;
const text = (value) => value ?? "";
const orDefault = (value) => value ?? void 0;
const ATTRIBUTES = {
	token: text,
	environment: text,
	path: text,
	redirect: json,
	showPaymentErrors: yes,
	autoHeight: yes,
	loading: orDefault,
	skeleton: yes,
	locale: orDefault,
	frameTitle: orDefault,
	appearance: json
};
const PROPERTIES = [...Object.keys(ATTRIBUTES), "onEvent"];
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
/** Members that are not public. A WeakMap or private fields would cost bytes in older targets. */
const STATE = Symbol();
/**
* The custom element `<farthing-widget token environment path redirect …>` (W1); `redirect` and `appearance` are JSON. Properties set in script
* are not reflected to attributes, which keeps a token out of the document. Each event is also dispatched as `farthing-event` with the event in
* `detail`, and for frameworks that turn an `onEvent` property into a listener as `event` (Vue) and `Event` (React, Svelte), which then look
* like the widget's event themselves. The frame appears once token and environment are set.
*/
var FarthingWidgetElement = class extends Base {
	static get observedAttributes() {
		return Object.keys(ATTRIBUTES).map(kebab);
	}
	[STATE] = { properties: {} };
	connectedCallback() {
		for (const name of PROPERTIES) {
			if (!Object.hasOwn(this, name)) continue;
			const value = this[name];
			delete this[name];
			Object.assign(this, { [name]: value });
		}
		if (getComputedStyle(this).display === "inline") this.style.display = "block";
		schedule(this);
	}
	disconnectedCallback() {
		this[STATE].widget?.destroy();
		this[STATE].widget = void 0;
	}
	attributeChangedCallback(attribute, _before, value) {
		const name = camel(attribute);
		try {
			Object.assign(this, { [name]: ATTRIBUTES[name](value) });
		} catch {
			tell(this, `the attribute ${attribute} must be JSON: write ${attribute}='{"…": …}' with double quotes inside`);
		}
	}
};
for (const name of PROPERTIES) Object.defineProperty(FarthingWidgetElement.prototype, name, {
	get() {
		return this[STATE].properties[name];
	},
	set(value) {
		this[STATE].properties[name] = value;
		schedule(this);
	}
});
/** Combines several synchronous changes into one update. */
function schedule(element) {
	const state = element[STATE];
	if (state.updating) return;
	state.updating = true;
	queueMicrotask(() => {
		state.updating = false;
		const { token, loading } = element;
		if (element.isConnected && (token || loading === "lazy")) update(element);
	});
}
function update(element) {
	const state = element[STATE];
	const properties = {
		...state.properties,
		onEvent: (event) => raise(element, event)
	};
	try {
		if (state.widget) state.widget.update(properties);
		else state.widget = mountWidget(element, properties);
	} catch {}
}
function raise(element, event) {
	const { type, payload } = event;
	for (const name of [
		"farthing-event",
		"event",
		"Event"
	]) {
		const dispatched = new CustomEvent(name, { detail: event });
		if (name !== "farthing-event") Object.defineProperties(dispatched, {
			type: { value: type },
			payload: { value: payload }
		});
		element.dispatchEvent(dispatched);
	}
	element.onEvent?.(event);
}
function tell(element, message) {
	tellMistake(element, `farthing-widget: ${message}`, (event) => raise(element, event));
}
/** Registers the element, once per page. Does nothing on a server. */
function defineFarthingWidget() {
	const registry = globalThis.customElements;
	if (registry && !registry.get("farthing-widget")) registry.define("farthing-widget", FarthingWidgetElement);
}

export { defineFarthingWidget as n, FarthingWidgetElement as t };