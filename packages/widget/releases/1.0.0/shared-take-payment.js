import { a as unlessAborted, i as DEADLINE_MS, n as pageWide } from "./shared-mount-widget.js";

// src/isolate-modal.ts
/** Frames of the card provider. A challenge (3DS) must stay usable above the modal. */
const PROVIDER_FRAME = "iframe[name^=__privateStripe]";
/** Returns the visible children of the page's body that the card provider has added, such as a challenge and its backdrop. */
function providerFrames() {
	return [...document.querySelectorAll(`body > :is(${PROVIDER_FRAME}, :not(.farthing-modal):has(${PROVIDER_FRAME}))`)].filter((element) => element.getClientRects().length);
}
/**
* Makes the rest of the page inert, before the modal is added. Frames that the card provider adds later stay usable. Returns a function that
* restores the page. (The stylesheet prevents scrolling.)
*/
function isolateModal() {
	const rest = document.querySelectorAll(`body > :not([inert], ${PROVIDER_FRAME}, :has(> ${PROVIDER_FRAME}))`);
	const setInert = (inert) => rest.forEach((element) => element.inert = inert);
	setInert(true);
	return () => setInert(false);
}

// src/modal-style.ts
/**
* The modal's stylesheet. The build also writes it to farthing-widget.css, for pages that prefer to link it. The spinner has half the opacity
* of the text around it: a grey with a contrast of at least 3:1, on the white dialog and on the grey button. W7 specifies sizes, layer and
* timing. The dialog is always light, like the card form inside it.
*
* The modal is in the page's own document, because the card provider's form refuses a shadow root. So every element of the modal down to the
* provider's (`fields` and its siblings, but nothing inside `fields`) is reset, its pseudo-elements too, and each selector has the specificity
* of two ids: a page's rules for `form`, `button`, `[role]` or `[aria-busy]` do not reach it. `all` excludes direction.
*/
const modalStyle = `:root:has(.farthing-modal){overflow:hidden!important}:not(#_#_).farthing-modal{&,>*,>*>*,>*>form>*,i{all:initial;direction:ltr;display:block;&::before,&::after{content:none}}>*,>*>*,>*>form>*,i{cursor:inherit;font:inherit;color:inherit}}:not(#_#_).farthing-modal{position:fixed;inset:0;z-index:1000;display:grid;place-items:center;background:#0f1219a6;animation:farthing-fade .3s;>[role=dialog]{box-sizing:border-box;width:90%;max-width:500px;max-height:80vh;overflow:auto;padding:24px;border-radius:16px;outline:1px solid #0000;background:#fff;color:#191c22;color-scheme:light;font:16px/1.5 system-ui;box-shadow:0 24px 64px #0f1219a6;animation:farthing-slide .3s}h2{margin-bottom:20px;font-size:22px;font-weight:600}i{box-sizing:border-box;width:26px;height:26px;border:3px solid;border-top-color:#0000;border-radius:50%;opacity:.5;animation:farthing-spin .75s linear infinite}form>i{margin:122px auto}i + div{height:0;overflow:hidden}[role=alert]{margin-top:20px;color:#a3160b}[role=status]{position:absolute;clip-path:inset(50%)}>*>form>button{box-sizing:border-box;display:flex;place-content:center;place-items:center;gap:12px;width:100%;min-height:52px;margin-top:20px;border:1px solid #0003;border-radius:10px;font-weight:600;&:enabled{cursor:pointer}&:focus-visible{outline:3px solid #191c22;outline-offset:3px}}@media (prefers-reduced-motion){&,*{animation:none!important}}}@keyframes farthing-fade{0%{opacity:0}}@keyframes farthing-slide{0%{translate:0 28px}}@keyframes farthing-spin{to{rotate:1turn}}`;

// src/adopt-style.ts
let sheet;
/**
* Adds the modal's stylesheet to the page, once. A constructed stylesheet needs neither a nonce nor 'unsafe-inline', so it works under
* CSP style-src 'self'.
*/
function adoptStyle() {
	if (sheet) return;
	sheet = new CSSStyleSheet();
	sheet.replaceSync(modalStyle);
	document.adoptedStyleSheets.push(sheet);
}

// src/button-colour.ts
/** The colour while loading. White text on it has a contrast of 7.0:1. */
const GREY = "#595959";
/** The colour when the message has none, or one that can't be used. */
const INK = "#191c22";
/**
* Sets the button's colour: the message's, or grey while loading (W7). The message's value is never used as a style directly: the browser
* first resolves it to sRGB numbers, which ignores invalid colours; references to the page's own variables are refused. The colour is always
* opaque. The text is black or white, whichever has more contrast: at least 4.58:1 on any colour.
*/
function colourButton(button, colour, loading) {
	const { style } = button;
	const resolve = (value) => style.color = `color-mix(in srgb,${value},${value})`;
	resolve(loading ? GREY : INK);
	if (!loading && colour && !colour.includes("--")) resolve(colour);
	const channels = getComputedStyle(button).color.match(/[-\d.e]+/g).map(Number).slice(0, 3);
	const [red, green, blue] = channels.map((channel) => ((Math.max(0, channel) + .055) / 1.055) ** 2.4);
	style.backgroundColor = `rgb(${channels.map((channel) => channel * 255).join()})`;
	style.color = .2126 * red + .7152 * green + .0722 * blue > .179 ? "#000" : "#fff";
}

// src/payment-modal.ts
const TITLE = "Payment";
/** Opens the "Payment" dialog: a dimmed page, space for the card form, one button (W7). Not a <dialog>: its top layer would cover 3DS. */
function openPaymentModal(options) {
	let state = "loading";
	let pressedOnBackdrop = false;
	const overlay = create("div", {
		className: "farthing-modal",
		lang: "en",
		onpointerdown({ target }) {
			pressedOnBackdrop = target === overlay;
		},
		onclick({ target }) {
			if (target === overlay && pressedOnBackdrop) dismiss();
		}
	});
	const dialog = create("div", {
		role: "dialog",
		ariaLabel: TITLE,
		tabIndex: -1
	});
	const form = create("form", { onsubmit(event) {
		event.preventDefault();
		if (state === "ready") options.onPay();
		else if (state === "retry") options.onRetry();
	} });
	const fields = create("div");
	const notice = create("div", { role: "alert" });
	const status = create("div", { role: "status" });
	const button = create("button");
	const label = document.createTextNode("");
	const spinner = create("i");
	function show(next, text = "") {
		if (state === "closed") return;
		const refused = state === "processing" && next === "ready";
		state = next;
		if (document.activeElement === button) dialog.focus();
		const usable = next === "ready" || next === "retry";
		button.disabled = !usable;
		label.data = next === "retry" ? "Try again" : options.label;
		if (refused && document.activeElement === dialog) button.focus();
		const processing = next === "processing";
		if (processing) button.prepend(spinner);
		else if (next === "loading") fields.before(spinner);
		else spinner.remove();
		status.textContent = processing ? "Processing payment" : "";
		dialog.ariaBusy = String(spinner.isConnected);
		dialog.ariaModal = String(!processing);
		notice.textContent = text;
		colourButton(button, options.colour, !usable);
	}
	function close() {
		if (state === "closed") return;
		state = "closed";
		document.removeEventListener("keydown", onKey, true);
		overlay.remove();
		restorePage();
		options.opener.focus({ preventScroll: true });
		options.onClose();
	}
	function dismiss() {
		if (state !== "processing") close();
	}
	function onKey(event) {
		if (event.key !== "Escape") return;
		event.stopPropagation();
		dismiss();
	}
	document.addEventListener("keydown", onKey, true);
	button.append(label);
	form.append(status, fields, notice, button);
	dialog.append(create("h2", { textContent: TITLE }), form);
	overlay.append(create("div", {
		tabIndex: 0,
		onfocus: () => (button.disabled ? dialog : button).focus()
	}), dialog, create("div", {
		tabIndex: 0,
		onfocus: () => dialog.focus()
	}));
	adoptStyle();
	const restorePage = isolateModal();
	document.body.append(overlay);
	show("loading");
	dialog.focus();
	return {
		fields,
		get state() {
			return state;
		},
		show,
		dismiss,
		close
	};
}
function create(tag, properties) {
	return Object.assign(document.createElement(tag), properties);
}

// src/pounds.ts
/** Converts a message's pounds to whole pence, which are compared with the card provider's amount and shown to the payer. */
function penceFromPounds(pounds) {
	return Math.round(pounds * 100);
}
/** Returns the button's label, "Pay £12.34" (W7). It is computed from pence, so the payer sees the amount that was compared. */
function payLabel(pence) {
	return `Pay £${String(pence).padStart(3, "0").replace(/..$/, ".$&")}`;
}

// src/return-url.ts
/**
* Returns the address that the card provider sends payers back to after they left the page (W8): the success template with the placeholder
* replaced by the context's token. Without a redirect configuration, it is the page they left.
*/
function returnUrl(redirect, token, page) {
	if (!redirect) return page;
	const { templateUrl, idPlaceholder } = redirect.paymentSuccess;
	return idPlaceholder ? templateUrl.replaceAll(idPlaceholder, () => encodeURIComponent(token)) : templateUrl;
}

// src/load-stripe.ts
/** Not declared on Window, because that would conflict with a partner's own types of the provider's script. */
const page = globalThis;
const PROVIDER_HOST = "https://js.stripe.com/";
const PROVIDER_SCRIPT = `${PROVIDER_HOST}endive/stripe.js`;
const clients = {};
/**
* Returns the provider's client for this environment's key. Loads the provider's script unless the page has it already. Only success is kept: a
* load that failed, or that hung until the signal aborted, starts anew with the next call. A live key is used with the provider's own script only.
*/
async function loadStripe({ publishableKey, cardScriptUrl = PROVIDER_SCRIPT }, loadScript, signal) {
	if (publishableKey.startsWith("pk_live_") && !cardScriptUrl.startsWith(PROVIDER_HOST)) throw new Error(`A live key needs a script of ${PROVIDER_HOST}`);
	if (!(page.Stripe instanceof Function)) {
		page.Stripe = void 0;
		await loadScript(cardScriptUrl, signal);
	}
	return clients[publishableKey] ??= page.Stripe(publishableKey, { locale: "en-GB" });
}

// src/stripe-card-provider.ts
/** The widget's card provider (G3). Uses the provider's own script, with one set of Elements per intent. */
const loadStripeCardProvider = async (environment, loadScript, signal) => {
	const stripe = await loadStripe(environment, loadScript, signal);
	return { openForm({ intent, pence, fields, locale, appearance, onEscape }) {
		const elements = stripe.elements({
			...elementsOptions(intent),
			...locale && { locale },
			...appearance && { appearance }
		});
		const form = elements.create("payment");
		const usable = new Promise((resolve, reject) => {
			form.on("ready", resolve);
			form.on("loaderror", ({ error }) => reject(error));
		});
		usable.catch(() => void 0);
		form.on("escape", onEscape);
		form.mount(fields);
		return {
			ready: confirmAmount(stripe, intent.clientSecret, pence).then((paid) => paid || usable.then(() => false)),
			async confirm(returnUrl) {
				try {
					const { error } = await stripe.confirmPayment({
						elements,
						confirmParams: { return_url: returnUrl },
						redirect: "if_required"
					});
					return error?.payment_intent?.status === "succeeded" ? void 0 : error;
				} catch (error) {
					return error;
				}
			},
			destroy: () => form.destroy()
		};
	} };
};
/**
* Returns the options for the provider's Elements, and decides what the provider learns about the customer. The message's three fields are as
* specified:
* - a customer session's secret in `ephemeralKey` offers the customer's saved cards (`customerSessionClientSecret`);
* - a real ephemeral key (`ek_…`) is for mobile SDKs, and `customerOptions` is not open to the public web: neither is used here.
*/
function elementsOptions({ clientSecret, ephemeralKey }) {
	return {
		clientSecret,
		...ephemeralKey.startsWith("cuss_") && { customerSessionClientSecret: ephemeralKey }
	};
}
/**
* Checks that the provider will take the amount that the payer sees: the same number of pence, in pounds sterling. Returns whether it has
* taken it already.
*/
async function confirmAmount(stripe, clientSecret, pence) {
	const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
	if (error?.type === "api_connection_error") throw new Error(error.message);
	if (paymentIntent?.amount !== pence || paymentIntent.currency !== "gbp") throw Object.assign(/* @__PURE__ */ new Error("The amount is not confirmed"), { code: "amount_not_confirmed" });
	if (paymentIntent.status === "canceled") throw Object.assign(/* @__PURE__ */ new Error("The payment was cancelled"), { code: "not_payable" });
	return [
		"succeeded",
		"processing",
		"requires_capture"
	].includes(paymentIntent.status);
}

// src/take-payment.ts
/** Problems that another attempt cannot mend. */
const FINAL = ["amount_not_confirmed", "not_payable"];
/**
* Opens the payment modal for an intent (W7, W8). A new intent replaces an idle modal, also that of another widget on the page. Returns undefined
* and opens nothing while a payment is being processed, if the modal already shows this intent, or for less than a penny.
*/
function takePayment(options) {
	const { intent } = options;
	const shared = pageWide();
	if (shared.open?.modal.state === "processing" || shared.open?.clientSecret === intent.clientSecret) return void 0;
	const pence = penceFromPounds(intent.paymentAmount);
	if (pence < 1) {
		report("amount_not_confirmed", { message: "The amount is below a penny" });
		return;
	}
	shared.open?.modal.close();
	let form;
	let attempt = new AbortController();
	/** While a payment is processed: what the provider had shown before, which is not the payment's challenge. */
	let shownBefore;
	const modal = openPaymentModal({
		label: payLabel(pence),
		colour: intent.color,
		opener: options.opener,
		onPay: () => void pay(),
		onRetry: () => void start(DEADLINE_MS),
		onClose() {
			shared.open = void 0;
			attempt.abort();
			removeForm();
			if (shownBefore) {
				for (const frame of providerFrames()) if (!shownBefore.includes(frame)) frame.remove();
			}
			options.onClose();
		}
	});
	shared.open = {
		modal,
		clientSecret: intent.clientSecret
	};
	function removeForm() {
		form?.destroy();
		form = void 0;
	}
	/** Loads the provider's script, its form and its amount within `ms`. What hangs is forgotten, so that the next attempt starts anew. */
	async function start(ms) {
		modal.show("loading");
		attempt = new AbortController();
		const { signal } = attempt;
		let late = false;
		const timer = setTimeout(() => {
			late = true;
			attempt.abort(/* @__PURE__ */ new Error("The card form did not load within 15 seconds"));
		}, ms);
		try {
			const { environment, loadScript } = options;
			const provider = await unlessAborted(signal, loadStripeCardProvider(environment(), loadScript, signal));
			const { locale, appearance } = options.properties();
			const { fields, dismiss } = modal;
			form = provider.openForm({
				intent,
				pence,
				fields,
				locale,
				appearance,
				onEscape: dismiss
			});
			if (await unlessAborted(signal, form.ready)) finish();
			else modal.show("ready");
		} catch (error) {
			if (modal.state === "closed") return;
			removeForm();
			const problem = error;
			const final = FINAL.includes(problem.code);
			modal.show(final ? "failed" : "retry", `The payment could not start and nothing was charged. ${final ? "Press outside to close." : "Please try again."}`);
			report("provider_not_loaded", problem);
			if (!final) options.onLoadError(late ? "card_form_timeout" : "card_form", problem.message);
		} finally {
			clearTimeout(timer);
		}
	}
	async function pay() {
		modal.show("processing");
		shownBefore = providerFrames();
		const returned = ({ persisted }) => persisted && modal.show("ready");
		addEventListener("pageshow", returned);
		const { redirect } = options.properties();
		const problem = await form.confirm(returnUrl(redirect, intent.context.token, location.href));
		removeEventListener("pageshow", returned);
		shownBefore = void 0;
		if (modal.state === "closed") return;
		if (problem) {
			modal.show("ready", options.properties().showPaymentErrors ? problem.message : "");
			report("provider_error", problem);
		} else finish();
	}
	function finish() {
		modal.close();
		options.onPaid();
	}
	function report(otherwise, { message, code = otherwise }) {
		console.warn(message);
		options.onProblem({
			message,
			code
		});
	}
	start(DEADLINE_MS - options.waitedMs);
	return modal;
}

export { takePayment };