import { n as findEnvironment, r as isHttpUrl } from "./shared-environments.js";
import { a as shape, i as readJsonMessage, n as isString, r as optionalOrNull, t as isFiniteNumber } from "./shared-read-json-message.js";

// src/deadline.ts
/** The maximum time from a payment intent to a usable card form: code, the provider's script, its form and its amount together. */
const DEADLINE_MS = 15e3;
/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
function unlessAborted(signal, promise) {
	return Promise.race([promise, new Promise((_, reject) => {
		const stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop);
	})]);
}

// src/frame-address.ts
/**
* Returns the iframe's address, `{base URL}/redirect?path={URL-encoded}&token={token}` (W2). `path` must be a path of the service: one
* leading slash, and nothing that a second decoding or a lenient parser could turn into another host.
* @throws TypeError for any other path
*/
function frameAddress(baseUrl, path, token) {
	if (!isServicePath(path)) throw new TypeError("farthing-widget: path must be like \"/pay\"");
	return new URL(`${baseUrl.replace(/\/$/, "")}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`);
}
function isServicePath(path) {
	try {
		return /^\/(?!\/)[^\\\0-\x1f\x7f]*$/.test(decodeURIComponent(path));
	} catch {
		return false;
	}
}

// src/set-up.ts
/** The last sentence on the console for each host element: a page that renders again and again gets it once. */
const told = /* @__PURE__ */ new WeakMap();
/** Tells the developer of a mistake: one sentence on the console, and a LOAD_ERROR. */
function tellMistake(host, message, onEvent) {
	if (told.get(host) !== message) console.error(message);
	told.set(host, message);
	if (onEvent instanceof Function) queueMicrotask(() => onEvent({
		type: "LOAD_ERROR",
		payload: {
			reason: "set_up",
			message
		}
	}));
}
/**
* Returns the frame's address for these properties.
* @throws TypeError that says what to write, after telling the developer the same, if a property is wrong
*/
function checkSetUp(host, properties) {
	try {
		return readAddress(properties);
	} catch (error) {
		tellMistake(host, error.message, properties.onEvent);
		throw error;
	}
}
function readAddress({ environment, path = "/", token, redirect, onEvent }) {
	const { baseUrl } = findEnvironment(environment);
	if (token && typeof token !== "string") throw mistake("token must be the string from your server: await it first");
	if (onEvent && !(onEvent instanceof Function)) throw mistake("onEvent must be a function");
	if (redirect) {
		const { templateUrl, idPlaceholder } = redirect.paymentSuccess ?? {};
		if (!templateUrl || typeof idPlaceholder !== "string") throw mistake("redirect must be { paymentSuccess: { templateUrl: \"https://shop.example/thanks/{id}\", idPlaceholder: \"{id}\" } }");
		if (!isHttpUrl(templateUrl)) throw mistake("redirect's templateUrl needs http(s)");
	}
	return frameAddress(baseUrl, path, token);
}
const mistake = (text) => /* @__PURE__ */ new TypeError(`farthing-widget: ${text}`);

// src/frame-height.ts
/** Smaller differences come from rounding. */
const MIN_STEP_PX = 2;
/** A content whose height depends on the frame's own grows with it for ever. This many changes in a row are taken for such a loop. */
const MAX_CHANGES = 12;
/** After a pause of this length the next change belongs to something new, such as an action of the visitor. */
const PAUSE_MS = 2e3;
/**
* Returns the height for a frame whose content reports `asked` at the time `now` (milliseconds). The height stays if the difference is below
* 2 px after clamping, or if the changes form a loop.
*/
function followHeight(before, asked, now, { min, max }) {
	const height = Math.min(max, Math.max(min, Math.ceil(asked)));
	if (!before) return {
		height,
		changes: 1,
		askedAt: now
	};
	const changes = now - before.askedAt < PAUSE_MS ? before.changes : 0;
	return Math.abs(height - before.height) < MIN_STEP_PX || changes >= MAX_CHANGES ? {
		...before,
		changes,
		askedAt: now
	} : {
		height,
		changes: changes + 1,
		askedAt: now
	};
}

// src/layout.ts
const LIMITS = {
	min: 150,
	max: 2e4
};
/** How far below the view a lazy widget starts to load. */
const NEAR = "200px";
/** Applies the opt-in layout to a frame: its height follows its content, and a grey box stands in for its page until it is ready. */
function layOutFrame(element, { autoHeight, skeleton }) {
	let followed;
	let pulse;
	if (skeleton) {
		element.style.background = "#8883";
		element.ariaBusy = "true";
		if (!matchMedia("(prefers-reduced-motion)").matches) pulse = element.animate([{ opacity: .5 }], {
			duration: 900,
			iterations: Infinity,
			direction: "alternate"
		});
	}
	return {
		resize(height) {
			if (!autoHeight) return;
			followed = followHeight(followed, height, Date.now(), LIMITS);
			element.style.height = `${followed.height}px`;
		},
		ready() {
			pulse?.cancel();
			element.style.background = "";
			element.ariaBusy = null;
		}
	};
}
/** Calls back once `host` comes near the view. Returns a function that stops watching. */
function whenNearView(host, onNear) {
	const observer = new IntersectionObserver((entries) => {
		if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
		observer.disconnect();
		onNear();
	}, { rootMargin: NEAR });
	observer.observe(host);
	return () => observer.disconnect();
}

// src/page-wide.ts
const KEY = Symbol.for("farthing-widget");
const page = globalThis;
const pageWide = () => page[KEY] ??= {};

// src/load-script.ts
/** Loads that a signal ended. A browser would let the same address wait for the same hung request, so the next load has another one. */
let hung = 0;
/** Loads a classic script. Rejects and removes the element if it fails or if the signal aborts, so that the next call starts anew. */
const loadScript = (url, signal, integrity) => new Promise((resolve, reject) => {
	const fail = () => {
		signal.removeEventListener("abort", abort);
		script.remove();
		reject(/* @__PURE__ */ new Error(`${url} did not load`));
	};
	const abort = () => {
		hung++;
		fail();
	};
	const script = Object.assign(document.createElement("script"), {
		...integrity && {
			integrity,
			crossOrigin: ""
		},
		src: trusted(hung ? `${url}${url.includes("?") ? "&" : "?"}again=${hung}` : url),
		onload() {
			signal.removeEventListener("abort", abort);
			resolve(0);
		},
		onerror: fail
	});
	signal.addEventListener("abort", abort);
	document.head.append(script);
});
/** Trusted Types require a policy for a script's address. A page that names its policies must allow "farthing-widget". */
function trusted(url) {
	const shared = pageWide();
	shared.policy ??= globalThis.trustedTypes?.createPolicy("farthing-widget", { createScriptURL: (address) => address });
	return shared.policy?.createScriptURL(url) ?? url;
}

// src/read-frame-message.ts
/** Amounts must be below this: more than any purchase, and small enough to be written without an exponent. */
const POUNDS_LIMIT = 1e6;
const openUrl$1 = shape({
	url: isString,
	newTab: optionalOrNull((value) => typeof value === "boolean")
});
const payloads = {
	STRIPE_PAYMENT_INTENT: shape({
		clientSecret: isString,
		ephemeralKey: isString,
		customerId: isString,
		paymentAmount: (value) => isFiniteNumber(value) && value > 0 && value < POUNDS_LIMIT,
		color: (value) => value === void 0 || isString(value),
		context: shape({ token: isString })
	}),
	OPEN_URL: openUrl$1,
	REDIRECT_PAYMENT: openUrl$1,
	RESIZE: shape({
		identifier: optionalOrNull(isString),
		height: isFiniteNumber,
		width: isFiniteNumber
	}),
	NAVIGATION_NO_BACK: shape({ url: isString })
};
/** Reads a message of the iframe. Returns undefined if it has none of the four shapes (W3). */
function readFrameMessage(data) {
	return readJsonMessage(data, payloads);
}

// src/write-host-message.ts
const write = (message) => JSON.stringify(message);
/** Returns the REDIRECT_CONFIG message (Z7). It has the two known fields only, whatever else the partner's object holds. */
function writeRedirectConfig({ paymentSuccess: { templateUrl, idPlaceholder } }) {
	return write({
		type: "REDIRECT_CONFIG",
		payload: { paymentSuccess: {
			templateUrl,
			idPlaceholder
		} },
		origin: "react"
	});
}
/** Returns the STRIPE_PAYMENT_COMPLETE message (Z7), with the intent's context unchanged. */
function writePaymentComplete(context) {
	return write({
		type: "STRIPE_PAYMENT_COMPLETE",
		payload: { context },
		origin: "react"
	});
}

// src/open-frame.ts
/** The interval at which REDIRECT_CONFIG is sent (W4). */
const RESEND_MS = 1e3;
/** A frame without a valid message for this long has probably not loaded. Across origins there is no other sign of it. */
const SILENCE_MS = 15e3;
/** A frame that has loaded a page, with its scripts, and sends nothing for this long shows an error page of the browser or of another site. */
const SILENCE_AFTER_LOAD_MS = 5e3;
/** Allows what the service's page needs, but not navigation of the partner's page. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";
/**
* Opens the service's page inside `host` and exchanges messages with it (W2, W3, W4). The gift-card portal will use it too. Only messages
* from the frame's own window and the address's origin are read.
*/
function openFrame(options) {
	const { host, address } = options;
	let configuration = options.redirect && writeRedirectConfig(options.redirect);
	let loaded = false;
	let heard = false;
	let resending;
	let silence = setTimeout(options.onSilence, SILENCE_MS, "frame_timeout");
	let silenceAfterLoad;
	function send(message) {
		element.contentWindow?.postMessage(message, address.origin);
	}
	function hush() {
		clearTimeout(silence);
		clearTimeout(silenceAfterLoad);
	}
	function stopSending() {
		clearInterval(resending);
		resending = void 0;
	}
	function startSending() {
		stopSending();
		if (!configuration || !loaded) return;
		send(configuration);
		resending = setInterval(send, RESEND_MS, configuration);
	}
	function onLoad() {
		if (loaded) {
			clearTimeout(silence);
			silence = setTimeout(stopSending, SILENCE_MS);
		} else if (!heard) silenceAfterLoad = setTimeout(options.onSilence, SILENCE_AFTER_LOAD_MS, "frame_silent");
		loaded = true;
		startSending();
	}
	function onMessage(event) {
		if (!event.source || event.source !== element.contentWindow || event.origin !== address.origin) return;
		const message = readFrameMessage(event.data);
		if (!message) return;
		heard = true;
		hush();
		if (!resending) startSending();
		options.onMessage(message);
	}
	const element = Object.assign(document.createElement("iframe"), {
		title: options.title || "Farthing",
		allow: "payment *; clipboard-write",
		sandbox: SANDBOX,
		referrerPolicy: "strict-origin",
		onload: onLoad,
		src: address.href
	});
	element.style.cssText = "display:block;width:100%;height:100%;border:0";
	window.addEventListener("message", onMessage);
	host.append(element);
	return {
		element,
		send,
		setRedirect(next) {
			const changed = next && writeRedirectConfig(next);
			if (changed === configuration) return;
			configuration = changed;
			startSending();
		},
		close() {
			stopSending();
			hush();
			window.removeEventListener("message", onMessage);
			element.remove();
		}
	};
}

// src/open-url.ts
/**
* Opens the URL of an OPEN_URL or REDIRECT_PAYMENT message (W5), if it is absolute http(s): in a new tab without opener or referrer, or in
* this window. Returns false, without opening it, if the browser would block the new tab because there was no recent user action.
*/
function openUrl({ url, newTab }) {
	if (isHttpUrl(url)) {
		if (!newTab) location.assign(url);
		else if (navigator.userActivation?.isActive === false) return false;
		else window.open(url, "_blank", "noopener,noreferrer");
	}
	return true;
}

// src/payment-part.ts
/**
* Loads the code that takes payments, which a page does not need at first. The build of the script tag replaces this file by
* payment-part-by-tag.ts, because a classic script on another origin cannot import relative addresses.
*/
function loadPaymentPart(_environment, _signal) {
	return import("./shared-take-payment.js");
}

// src/mount-widget.ts
/** The minimum time between two pages that the widget opens on the frame's request. */
const OPEN_INTERVAL_MS = 1e3;
/** The maximum number of different events of the frame per animation frame; protects against a flood of messages. */
const MAX_WAITING = 50;
/** The code that takes payments. A promise only while it loads; a load that failed is forgotten. */
let part;
/**
* Mounts the service's page into `host` and handles its messages. The React component, the element and the script build on it.
* @throws TypeError that says what to do, if a property is wrong; the widget is then not mounted
*/
function mountWidget(host, properties) {
	let current = properties;
	let address = check(properties);
	let shown;
	let frame;
	let layout;
	let payment;
	let asking;
	let destroyed = false;
	/** Whether the frame has reported that it is ready, or a problem. */
	let settled = false;
	let lastOpened = -1e3;
	const waiting = /* @__PURE__ */ new Map();
	let isNear = properties.loading !== "lazy";
	const stopWatching = isNear ? void 0 : whenNearView(host, () => {
		isNear = true;
		if (!current.token) emit({
			type: "TOKEN_NEEDED",
			payload: {}
		});
		showFrame();
	});
	function check(next) {
		return checkSetUp(host, next);
	}
	/** Calls the partner's handler in a separate task: its exceptions are reported by the browser and don't interrupt the widget. */
	function emit(event) {
		queueMicrotask(() => {
			if (!destroyed) current.onEvent?.(event);
		});
	}
	function emitLoadError(reason, message) {
		emit({
			type: "LOAD_ERROR",
			payload: {
				reason,
				message
			}
		});
	}
	function settle(problem, message = "The frame's page has a problem") {
		if (settled) return;
		settled = true;
		layout?.ready();
		if (problem) emitLoadError(problem, message);
		else {
			emit({
				type: "READY",
				payload: {}
			});
			loadPart(new AbortController().signal).catch(() => void 0);
		}
	}
	function receive(message) {
		const { identifier, reason } = message.payload;
		if (identifier === "load-error" && typeof reason === "string") settle(reason.slice(0, 50));
		else settle();
		if (message.type === "STRIPE_PAYMENT_INTENT") pay(message.payload);
		else if (message.type === "RESIZE") emitSoon(`r${message.payload.identifier}`, message);
		else if (message.type === "NAVIGATION_NO_BACK") emitSoon(0, message);
		else if (performance.now() - lastOpened >= OPEN_INTERVAL_MS) {
			lastOpened = performance.now();
			if (!openUrl(message.payload)) emit({
				type: "OPEN_URL_BLOCKED",
				payload: { url: message.payload.url }
			});
		}
	}
	/** Reports only the latest event with this key of each animation frame. */
	function emitSoon(key, event) {
		if (!waiting.size) requestAnimationFrame(emitWaiting);
		if (event.type !== "RESIZE" || waiting.size < MAX_WAITING || waiting.has(key)) waiting.set(key, event);
	}
	function emitWaiting() {
		for (const event of waiting.values()) {
			if (event.type === "RESIZE") layout?.resize(event.payload.height);
			emit(event);
		}
		waiting.clear();
	}
	async function loadPart(signal) {
		return part ??= await loadPaymentPart(findEnvironment(current.environment), signal);
	}
	async function pay(intent) {
		const opener = frame;
		const since = Date.now();
		const attempt = new AbortController();
		const timer = setTimeout(() => attempt.abort(/* @__PURE__ */ new Error("The payment did not load within 15 seconds")), DEADLINE_MS);
		asking?.abort();
		asking = attempt;
		try {
			if (!part) await unlessAborted(attempt.signal, loadPart(attempt.signal));
		} catch (error) {
			if (destroyed || asking !== attempt) return;
			const { message } = error;
			console.warn(message);
			emit({
				type: "PAYMENT_ERROR",
				payload: {
					message,
					code: "provider_not_loaded"
				}
			});
			emitLoadError(attempt.signal.aborted ? "card_form_timeout" : "card_form", message);
			return;
		} finally {
			clearTimeout(timer);
		}
		if (destroyed || asking !== attempt || frame !== opener) return;
		const started = part.takePayment({
			intent,
			opener: opener.element,
			properties: () => current,
			environment: () => findEnvironment(current.environment),
			loadScript,
			waitedMs: Date.now() - since,
			onProblem(problem) {
				emit({
					type: "PAYMENT_ERROR",
					payload: problem
				});
				showFrame();
			},
			onLoadError: emitLoadError,
			onPaid() {
				opener.send(writePaymentComplete(intent.context));
				emit({
					type: "PAYMENT_COMPLETE",
					payload: { context: intent.context }
				});
			},
			onClose() {
				emit({
					type: "MODAL_CLOSED",
					payload: {}
				});
				showFrame();
			}
		});
		if (started) emit({
			type: "MODAL_OPENED",
			payload: {}
		});
		payment = started ?? payment;
	}
	/** Loads the current address into a frame, unless a payment is in progress, which would lose its modal. */
	function showFrame() {
		if (destroyed || !isNear || !current.token || shown === address.href || payment?.state === "processing") return;
		shown = address.href;
		settled = false;
		payment?.close();
		frame?.close();
		frame = openFrame({
			host,
			address,
			title: current.frameTitle,
			redirect: current.redirect,
			onMessage: receive,
			onSilence(reason) {
				settle(reason, "The frame has sent no message: it is blocked or offline, or its token was used");
				if (reason === "frame_timeout") emit({
					type: "WIDGET_LOAD_TIMEOUT",
					payload: {}
				});
			}
		});
		layout = layOutFrame(frame.element, current);
	}
	/** Deferred, so that mounting and unmounting in the same task (StrictMode) does not spend the single-use token. */
	function showFrameSoon() {
		queueMicrotask(showFrame);
	}
	showFrameSoon();
	return {
		update(next) {
			address = check(next);
			current = next;
			frame?.setRedirect(next.redirect);
			showFrameSoon();
		},
		destroy() {
			destroyed = true;
			stopWatching?.();
			asking?.abort();
			payment?.close();
			frame?.close();
		}
	};
}

export { unlessAborted as a, DEADLINE_MS as i, pageWide as n, tellMistake as r, mountWidget as t };