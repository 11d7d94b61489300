import { a as shape, i as readJsonMessage, n as isString } from "./shared-read-json-message.js";

// src/read-host-message.ts
const payloads = {
	REDIRECT_CONFIG: shape({ paymentSuccess: shape({
		templateUrl: isString,
		idPlaceholder: isString
	}) }),
	STRIPE_PAYMENT_COMPLETE: shape({ context: shape({ token: isString }) })
};
/** Reads a message of the host page, inside the iframe (W3). Returns undefined for anything else. */
function readHostMessage(data) {
	return readJsonMessage(data, payloads);
}

// src/frame.ts
/**
* Connects the page in the iframe to its host page. Call it once, when the page starts: it reports the page's size to the host at once and
* after each change.
*
* `hostOrigins` are the origins that the token's partner may embed from; the server knows them. Only messages from the parent window and these
* origins are read. Nothing is posted to "*": messages are queued until the host's origin is known.
*/
function connectHost(options) {
	const { hostOrigins, problem, identifier = problem ? "load-error" : null, resizeDelayMs = 0 } = options;
	let hostOrigin = hostOrigins.length === 1 ? hostOrigins[0] : [location.ancestorOrigins?.[0], originOf(document.referrer)].find(isHost);
	let waiting = [];
	let trigger = null;
	let lastSize = "";
	let sizeTimer;
	function isHost(origin) {
		return origin !== void 0 && hostOrigins.includes(origin);
	}
	function post(message) {
		waiting.push(JSON.stringify(message));
		flush();
	}
	function flush() {
		if (!hostOrigin || parent === window) return;
		for (const message of waiting) parent.postMessage(message, hostOrigin);
		waiting = [];
	}
	function onMessage(event) {
		if (event.source !== parent || parent === window || !isHost(event.origin)) return;
		const message = readHostMessage(event.data);
		if (!message) return;
		hostOrigin = event.origin;
		flush();
		if (message.type === "REDIRECT_CONFIG") options.onRedirectConfig?.(message.payload);
		else options.onPaymentComplete?.(message.payload.context);
	}
	function postSize() {
		const { height, width } = document.documentElement.getBoundingClientRect();
		const payload = {
			identifier,
			height: Math.ceil(height),
			width: Math.ceil(width),
			...problem
		};
		const size = `${payload.height} ${payload.width}`;
		if (size !== lastSize) post({
			type: "RESIZE",
			payload
		});
		lastSize = size;
	}
	/** Restores the focus when it returns from the host page; the browser does not remember the focused element. */
	function onFocus() {
		if (document.activeElement === document.body) trigger?.focus();
		trigger = null;
	}
	const sizes = new ResizeObserver(() => {
		clearTimeout(sizeTimer);
		if (!lastSize || resizeDelayMs === 0) postSize();
		else sizeTimer = setTimeout(postSize, resizeDelayMs);
	});
	sizes.observe(document.documentElement);
	window.addEventListener("message", onMessage);
	window.addEventListener("focus", onFocus);
	return {
		requestPayment(payload) {
			trigger = document.activeElement;
			post({
				type: "STRIPE_PAYMENT_INTENT",
				payload
			});
		},
		openUrl: (url, newTab) => post({
			type: "OPEN_URL",
			payload: {
				url,
				newTab: newTab ?? null
			}
		}),
		redirectPayment: (url, newTab) => post({
			type: "REDIRECT_PAYMENT",
			payload: {
				url,
				newTab: newTab ?? null
			}
		}),
		navigationNoBack: (url) => post({
			type: "NAVIGATION_NO_BACK",
			payload: { url }
		}),
		close() {
			sizes.disconnect();
			clearTimeout(sizeTimer);
			window.removeEventListener("message", onMessage);
			window.removeEventListener("focus", onFocus);
		}
	};
}
function originOf(url) {
	return URL.canParse(url) ? new URL(url).origin : void 0;
}

export { connectHost };