// Replaces the card provider's browser script. It defines window.Stripe with what payment pages use: the Payment Element
// in a frame of the provider, confirmation, challenges and redirects. Card numbers never reach the page that loads this script.

/** @typedef {Record<string, any>} Wire an object of the provider's, as it came over the wire */
/** @typedef {(event: Wire) => void} Listener */

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const origin = new URL(script.src).origin;
  let frames = 0;

  /** The provider's error for wrong use. */
  class IntegrationError extends Error {
    /** @override */
    name = "IntegrationError";
  }

  /**
   * Calls the provider's API with the publishable key. Returns the object, or `{ error }`.
   * @param {string} key @param {"GET" | "POST"} method @param {string} path @param {Record<string, string>} fields @returns {Promise<Wire>}
   */
  async function api(key, method, path, fields) {
    const form = new URLSearchParams(fields);
    const url = new URL(`/v1/${path}`, origin);
    if (method === "GET") url.search = String(form);
    try {
      const response = await fetch(url, {
        method,
        headers: { Authorization: `Bearer ${key}` },
        ...(method === "GET" ? {} : { body: form }),
      });
      return await response.json();
    } catch {
      return {
        error: {
          type: "api_connection_error",
          message: "We are experiencing issues connecting to our payments provider.",
        },
      };
    }
  }

  /** @param {string} clientSecret */
  const intentIdOf = (clientSecret) => String(clientSecret).split("_secret_", 1).join("");

  /** A frame of the provider. It exchanges messages with its page that have the frame's channel. */
  class Frame {
    /** @param {string} path @param {string} title @param {(type: string, payload: Wire) => void} onMessage */
    constructor(path, title, onMessage) {
      this.channel = crypto.randomUUID();
      /** @type {Map<string, (answer: Wire) => void>} */
      this.waiting = new Map();
      this.iframe = document.createElement("iframe");
      this.iframe.name = `__privateStripeFrame${(frames += 1)}`;
      this.iframe.title = title;
      this.iframe.allow = "payment *";
      const url = new URL(path, origin);
      url.searchParams.set("channel", this.channel);
      this.iframe.src = url.href;
      /** @param {MessageEvent<Wire>} event */
      this.listen = (event) => {
        if (
          event.origin !== origin ||
          event.source !== this.iframe.contentWindow ||
          event.data?.channel !== this.channel
        )
          return;
        const { answerTo, type, payload } = event.data;
        if (answerTo) {
          this.waiting.get(answerTo)?.(payload);
          this.waiting.delete(answerTo);
        } else onMessage(type, payload);
      };
      window.addEventListener("message", this.listen);
    }
    /** @param {string} type @param {Wire} [payload] */
    tell(type, payload) {
      this.iframe.contentWindow?.postMessage({ channel: this.channel, type, payload }, origin);
    }
    /** @param {string} type @param {Wire} [payload] @returns {Promise<Wire>} */
    ask(type, payload) {
      const id = crypto.randomUUID();
      return new Promise((resolve) => {
        this.waiting.set(id, resolve);
        this.iframe.contentWindow?.postMessage({ channel: this.channel, id, type, payload }, origin);
      });
    }
    close() {
      window.removeEventListener("message", this.listen);
      this.iframe.remove();
    }
  }

  /** An element: the payment form, or a kind that this sandbox does not render. */
  class Element {
    /** @param {Elements} elements @param {string} type @param {Wire} [options] */
    constructor(elements, type, options) {
      this.elements = elements;
      this.type = type;
      this.options = options ?? {};
      /** @type {Map<string, Listener[]>} */
      this.listeners = new Map();
      /** @type {Frame | null} */
      this.frame = null;
      this.destroyed = false;
    }
    /** @param {string} name @param {Listener} listener */
    on(name, listener) {
      this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
      return this;
    }
    /** @param {string} name @param {Listener} listener */
    once(name, listener) {
      /** @param {Wire} event */
      const only = (event) => {
        this.off(name, only);
        listener(event);
      };
      return this.on(name, only);
    }
    /** @param {string} name @param {Listener} [listener] */
    off(name, listener) {
      this.listeners.set(name, listener ? (this.listeners.get(name) ?? []).filter((one) => one !== listener) : []);
      return this;
    }
    /** @param {string} name @param {Wire} [event] */
    emit(name, event = {}) {
      for (const listener of this.listeners.get(name) ?? []) listener({ elementType: this.type, ...event });
    }
    /** @param {string | HTMLElement} target */
    mount(target) {
      if (this.destroyed)
        throw new IntegrationError("This Element has already been destroyed. Please create a new one.");
      const place = typeof target === "string" ? document.querySelector(target) : target;
      if (!place)
        throw new IntegrationError(
          "Invalid DOM element. Make sure to call mount() with a valid DOM element or selector.",
        );
      if (this.frame && this.frame.iframe.parentElement === place) return;
      this.unmount();
      if (this.type !== "payment") {
        queueMicrotask(() => this.emit("ready"));
        return;
      }
      this.frame = new Frame("/cards/frames/payment-form", "Secure payment input frame", (type, payload) =>
        this.heard(type, payload),
      );
      const { style } = this.frame.iframe;
      Object.assign(style, {
        width: "100%",
        border: "0",
        display: "block",
        height: "0",
        colorScheme: "light",
      });
      place.append(this.frame.iframe);
      queueMicrotask(() => this.emit("loaderstart"));
    }
    /** @param {string} type @param {Wire} payload */
    heard(type, payload) {
      if (!this.frame) return;
      if (type === "loaded")
        this.frame.tell("start", { key: this.elements.key, options: this.elements.options, element: this.options });
      else if (type === "resize") this.frame.iframe.style.height = `${payload.height}px`;
      else if (["ready", "change", "loaderror", "focus", "blur", "escape"].includes(type)) this.emit(type, payload);
    }
    /** @param {Wire} options */
    update(options) {
      Object.assign(this.options, options);
      this.frame?.tell("update", { options: this.elements.options, element: this.options });
      return this;
    }
    unmount() {
      this.frame?.close();
      this.frame = null;
      return this;
    }
    destroy() {
      this.unmount();
      this.destroyed = true;
      this.elements.forget(this);
      return this;
    }
    focus() {
      this.frame?.iframe.focus();
      this.frame?.tell("focus");
      return this;
    }
    blur() {
      this.frame?.tell("blur");
      return this;
    }
    clear() {
      this.frame?.tell("clear");
      return this;
    }
    collapse() {
      this.frame?.tell("collapse");
      return this;
    }
  }

  class Elements {
    /** @param {string} key @param {Wire} [options] */
    constructor(key, options) {
      this.key = key;
      /** @type {Wire} */
      this.options = { ...options };
      /** @type {Map<string, Element>} */
      this.made = new Map();
    }
    /** @param {string} type @param {Wire} [options] */
    create(type, options) {
      if (this.made.has(type)) throw new IntegrationError(`Can only create one Element of type ${type}.`);
      if (type === "payment" && !this.options.clientSecret && !this.options.mode) {
        throw new IntegrationError(
          "In order to create a payment element, you must pass a clientSecret or mode when creating the Elements instance.",
        );
      }
      const element = new Element(this, type, options);
      this.made.set(type, element);
      return element;
    }
    /** @param {unknown} type */
    getElement(type) {
      return this.made.get(typeof type === "string" ? type : "payment") ?? null;
    }
    /** @param {Element} element */
    forget(element) {
      if (this.made.get(element.type) === element) this.made.delete(element.type);
    }
    /** @param {Wire} [options] */
    update(options) {
      // The client secret of an instance never changes, as with the provider.
      const { clientSecret: _kept, ...changes } = options ?? {};
      Object.assign(this.options, changes);
      for (const element of this.made.values()) element.update({});
      return this;
    }
    async fetchUpdates() {
      return {};
    }
    async submit() {
      const frame = mountedPayment(this);
      const { error } = await frame.ask("validate");
      return error ? { error } : { selectedPaymentMethod: (await frame.ask("selected")).type };
    }
  }

  /**
   * Returns the frame of the form on the page.
   * @param {Elements | undefined} elements
   */
  function mountedPayment(elements) {
    const element = elements?.getElement?.("payment");
    if (!element?.frame) {
      throw new IntegrationError(
        "We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.",
      );
    }
    return element.frame;
  }

  /**
   * Navigates to another page. Never resolves.
   * @param {string} url @returns {Promise<never>}
   */
  function leaveFor(url) {
    window.location.assign(url);
    return new Promise(() => {});
  }

  /** @param {string} returnUrl @param {Wire} intent @param {string} status */
  function withOutcome(returnUrl, intent, status) {
    const url = new URL(returnUrl);
    url.searchParams.set("payment_intent", intent.id);
    url.searchParams.set("payment_intent_client_secret", intent.client_secret);
    url.searchParams.set("redirect_status", status);
    return url.href;
  }

  /**
   * Shows the bank's challenge in a frame over the page. Resolves when it is answered.
   * @param {string} url @returns {Promise<void>}
   */
  function challenge(url) {
    return new Promise((resolve) => {
      const veil = document.createElement("div");
      Object.assign(veil.style, {
        position: "fixed",
        inset: "0",
        zIndex: "2147483647",
        background: "rgb(10 20 35 / 60%)",
        display: "grid",
        placeItems: "center",
      });
      const embedded = new URL(url);
      embedded.searchParams.set("embedded", "1");
      const frame = new Frame(embedded.href, "Authentication by your bank", (type) => {
        if (type !== "finished") return;
        frame.close();
        veil.remove();
        resolve();
      });
      Object.assign(frame.iframe.style, {
        width: "min(26rem, 94vw)",
        height: "min(32rem, 90vh)",
        border: "0",
        borderRadius: "8px",
        background: "#fff",
      });
      veil.append(frame.iframe);
      document.body.append(veil);
      frame.iframe.focus();
    });
  }

  /**
   * Handles an intent's next action, if it happens on this page.
   * @param {string} key @param {Wire} intent @returns {Promise<Wire>}
   */
  async function settle(key, intent) {
    const action = intent.next_action;
    if (intent.status !== "requires_action" || !action) return { paymentIntent: intent };
    if (action.type === "redirect_to_url") return leaveFor(action.redirect_to_url.url);
    await challenge(action.use_stripe_sdk.stripe_js);
    const after = await api(key, "GET", `payment_intents/${intent.id}`, { client_secret: intent.client_secret });
    if (after.error) return after;
    if (after.status === "requires_payment_method")
      return { error: { ...after.last_payment_error, payment_intent: after } };
    return { paymentIntent: after };
  }

  /** @param {string} key @param {Wire} [options] */
  function Stripe(key, options) {
    if (typeof key !== "string" || !key.startsWith("pk_"))
      throw new IntegrationError(`Invalid value for Stripe(): apiKey should be a publishable key.`);
    if (key.startsWith("pk_live"))
      throw new IntegrationError(
        "This is the sandbox's script: it refuses live keys, so that no real card is typed into it.",
      );
    return {
      _apiKey: key,
      _options: options ?? {},
      _registerWrapper() {},
      registerAppInfo() {},
      /** @param {Wire} [given] */
      elements: (given) => new Elements(key, given),
      /** @param {{ elements?: Elements, clientSecret?: string, confirmParams?: Wire, redirect?: string }} [given] @returns {Promise<Wire>} */
      async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = "always" } = {}) {
        const secret = clientSecret ?? elements?.options?.clientSecret;
        if (!secret) throw new IntegrationError("You must provide a clientSecret, or an Elements instance with one.");
        const frame = mountedPayment(elements);
        if (redirect !== "if_required" && !confirmParams.return_url) {
          throw new IntegrationError("You must provide a return_url in confirmParams, unless redirect is if_required.");
        }
        const answer = await frame.ask("confirm", { clientSecret: secret, confirmParams });
        if (answer.error) return { error: answer.error };
        const settled = await settle(key, answer);
        if (settled.error || redirect === "if_required") return settled;
        return leaveFor(withOutcome(confirmParams.return_url, settled.paymentIntent, "succeeded"));
      },
      /** @param {string} clientSecret @param {{ payment_method?: string, return_url?: string }} [given] @returns {Promise<Wire>} */
      async confirmCardPayment(clientSecret, { payment_method: method, return_url: returnUrl } = {}) {
        const answer = await api(key, "POST", `payment_intents/${intentIdOf(clientSecret)}/confirm`, {
          client_secret: clientSecret,
          use_stripe_sdk: "true",
          ...(typeof method === "string" ? { payment_method: method } : {}),
          ...(returnUrl ? { return_url: returnUrl } : {}),
        });
        return answer.error ? { error: answer.error } : settle(key, answer);
      },
      /** @param {{ clientSecret: string }} given @returns {Promise<Wire>} */
      async handleNextAction({ clientSecret }) {
        const intent = await api(key, "GET", `payment_intents/${intentIdOf(clientSecret)}`, {
          client_secret: clientSecret,
        });
        return intent.error ? intent : settle(key, intent);
      },
      /** @param {string} clientSecret @returns {Promise<Wire>} */
      async retrievePaymentIntent(clientSecret) {
        const intent = await api(key, "GET", `payment_intents/${intentIdOf(clientSecret)}`, {
          client_secret: clientSecret,
        });
        return intent.error ? { error: intent.error } : { paymentIntent: intent };
      },
      /** @param {{ elements?: Elements }} [given] @returns {Promise<Wire>} */
      async createPaymentMethod({ elements } = {}) {
        const answer = await mountedPayment(elements).ask("method");
        return answer.error ? { error: answer.error } : { paymentMethod: answer };
      },
      async createToken() {
        return { error: { type: "invalid_request_error", message: "The sandbox makes payment methods, not tokens." } };
      },
    };
  }
  Stripe.version = "endive";
  Object.assign(window, { Stripe });
})();
