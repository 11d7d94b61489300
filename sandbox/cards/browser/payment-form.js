// The card form in the provider's frame. It exchanges messages with the page's script and calls the provider's API.

/** @typedef {Record<string, any>} FormWire an object of the provider's, or a message's content */
/** @typedef {"number" | "expiry" | "cvc"} CardField */
/** @typedef {Partial<Record<CardField, [code: string, message: string]>>} Problems */

(() => {
  const channel = new URLSearchParams(location.search).get("channel");
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));
  const field = /** @type {Record<CardField | "save", HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-part="${name}"]`));
  let key = "";
  /** @type {FormWire} */
  let options = {};
  /** @type {FormWire} */
  let session = {};

  /** @param {string} type @param {FormWire} [payload] */
  const say = (type, payload) => parent.postMessage({ channel, type, payload }, "*");
  const fit = () => say("resize", { height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
  new ResizeObserver(fit).observe(document.documentElement);

  /** @param {string} path @param {Record<string, string>} fields @returns {Promise<FormWire>} */
  async function api(path, fields) {
    try {
      const response = await fetch(`/v1/${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}` },
        body: new URLSearchParams(fields),
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

  /** @param {string} text */
  const digits = (text) => text.replace(/\D/g, "");
  const isAmex = () => /^3[47]/.test(digits(field.number.value));
  /** @param {string} number */
  const luhn = (number) =>
    [...number].reverse().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) %
      10 ===
    0;

  /** The chosen method: a saved card's id, "card" for a new one, or another method. */
  const chosen = () => String(new FormData(form).get("method") ?? "card");

  /**
   * Returns the first error of each field, in the provider's words.
   * @returns {Problems}
   */
  function problems() {
    if (chosen() !== "card") return {};
    const number = digits(field.number.value);
    const [month = "", year = ""] = field.expiry.value.split("/").map(digits);
    const code = digits(field.cvc.value);
    /** @type {Problems} */
    const found = {};
    const wanted = isAmex() ? 15 : 16;
    if (number.length < wanted) found.number = ["incomplete_number", "Your card number is incomplete."];
    else if (!luhn(number)) found.number = ["invalid_number", "Your card number is invalid."];
    if (month.length < 2 || year.length < 2)
      found.expiry = ["incomplete_expiry", "Your card's expiry date is incomplete."];
    else if (Number(month) < 1 || Number(month) > 12)
      found.expiry = ["invalid_expiry_month", "Your card's expiry date is invalid."];
    else if (isPast(Number(month), 2000 + Number(year)))
      found.expiry = ["invalid_expiry_year_past", "Your card's expiry year is in the past."];
    if (code.length < (isAmex() ? 4 : 3)) found.cvc = ["incomplete_cvc", "Your card's security code is incomplete."];
    return found;
  }

  /** @param {number} month @param {number} year */
  function isPast(month, year) {
    const now = new Date();
    return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1);
  }

  /** @param {Problems} found @param {string} [only] */
  function show(found, only) {
    for (const name of /** @type {CardField[]} */ (["number", "expiry", "cvc"])) {
      if (only && name !== only) continue;
      const message = found[name]?.[1] ?? "";
      part(`${name}-error`).textContent = message;
      field[name].setAttribute("aria-invalid", String(Boolean(message)));
    }
    fit();
  }

  // The page is notified only when this changes, not at every key.
  let said = "";
  function changed() {
    const found = problems();
    const complete = Object.keys(found).length === 0;
    const type = chosen() === "pay_by_bank" ? "pay_by_bank" : "card";
    const empty = chosen() === "card" && !field.number.value && !field.expiry.value && !field.cvc.value;
    part("new-card").hidden = chosen() !== "card";
    part("bank").hidden = chosen() !== "pay_by_bank";
    fit();
    const now = { empty, complete, collapsed: false, value: { type } };
    if (JSON.stringify(now) === said) return;
    said = JSON.stringify(now);
    say("change", now);
  }

  /** @returns {FormWire} */
  function validate() {
    const found = problems();
    show(found);
    const [first] = Object.entries(found);
    if (!first) return {};
    const [name, [code, message]] = first;
    field[/** @type {CardField} */ (name)].focus();
    return { error: { type: "validation_error", code, message } };
  }

  /** @param {string} prefix @returns {Record<string, string>} */
  function methodFields(prefix) {
    if (chosen() === "pay_by_bank") return { [`${prefix}[type]`]: "pay_by_bank" };
    const [month = "", year = ""] = field.expiry.value.split("/").map(digits);
    return {
      [`${prefix}[type]`]: "card",
      [`${prefix}[card][number]`]: digits(field.number.value),
      [`${prefix}[card][exp_month]`]: month,
      [`${prefix}[card][exp_year]`]: year,
      [`${prefix}[card][cvc]`]: digits(field.cvc.value),
      ...(field.save.checked ? { [`${prefix}[allow_redisplay]`]: "always" } : {}),
    };
  }

  /** @param {FormWire} given */
  async function confirm({ clientSecret, confirmParams }) {
    const wrong = validate();
    if (wrong.error) return wrong;
    const billing = confirmParams.payment_method_data?.billing_details ?? {};
    const details = Object.fromEntries(
      ["name", "email"]
        .filter((name) => billing[name])
        .map((name) => [`payment_method_data[billing_details][${name}]`, billing[name]]),
    );
    const saved = chosen() !== "card" && chosen() !== "pay_by_bank";
    form.inert = true;
    const answer = await api(`payment_intents/${clientSecret.split("_secret_")[0]}/confirm`, {
      client_secret: clientSecret,
      use_stripe_sdk: "true",
      ...(confirmParams.return_url ? { return_url: confirmParams.return_url } : {}),
      ...(field.save.checked && chosen() === "card" ? { setup_future_usage: "off_session" } : {}),
      ...(saved ? { payment_method: chosen() } : { ...methodFields("payment_method_data"), ...details }),
    });
    form.inert = false;
    if (answer.error) {
      /** @type {Record<string, CardField>} */
      const where = {
        incorrect_cvc: "cvc",
        invalid_cvc: "cvc",
        expired_card: "expiry",
        invalid_expiry_month: "expiry",
        invalid_expiry_year: "expiry",
      };
      show({ [where[answer.error.code] ?? "number"]: ["", answer.error.message] });
    }
    return answer;
  }

  async function method() {
    const wrong = validate();
    if (wrong.error) return wrong;
    const fields = Object.fromEntries(
      Object.entries(methodFields("x")).map(([name, value]) => [name.replace(/^x\[([^\]]+)\]/, "$1"), value]),
    );
    return api("payment_methods", fields);
  }

  const looks = {
    colorPrimary: "--primary",
    colorBackground: "--background",
    colorText: "--text",
    colorDanger: "--danger",
    fontFamily: "--font",
    borderRadius: "--radius",
    fontSizeBase: "--size",
  };

  /** @param {FormWire} [appearance] */
  function dress(appearance = {}) {
    document.documentElement.dataset.theme = appearance.theme ?? "stripe";
    for (const [name, property] of Object.entries(looks)) {
      if (appearance.variables?.[name])
        document.documentElement.style.setProperty(property, appearance.variables[name]);
    }
  }

  /** @param {string} value @param {string} label @param {string} [hint] */
  function choice(value, label, hint) {
    const row = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "method", value });
    const text = document.createElement("span");
    text.textContent = label;
    row.append(input, text);
    if (hint) row.append(Object.assign(document.createElement("small"), { textContent: hint }));
    return row;
  }

  function draw() {
    const choices = part("choices");
    const rows = session.saved.map((/** @type {FormWire} */ card) =>
      choice(
        card.id,
        `${card.brand[0].toUpperCase()}${card.brand.slice(1)} ending in ${card.last4}`,
        `expires ${String(card.exp_month).padStart(2, "0")}/${String(card.exp_year).slice(-2)}`,
      ),
    );
    if (session.payment_method_types.includes("card"))
      rows.push(choice("card", session.saved.length > 0 ? "New card" : "Card"));
    if (session.payment_method_types.includes("pay_by_bank")) rows.push(choice("pay_by_bank", "Pay by bank"));
    choices.replaceChildren(...rows);
    part("methods").hidden = rows.length < 2;
    const first = choices.querySelector("input");
    if (first) first.checked = true;
    part("save").hidden = !session.may_save;
    changed();
  }

  /** @param {FormWire} payload */
  async function start(payload) {
    ({ key, options } = payload);
    dress(options.appearance);
    const { customer, ephemeralKey } = options.customerOptions ?? {};
    const answer = await api("elements/sessions", {
      client_secret: options.clientSecret ?? "",
      ...(options.customerSessionClientSecret
        ? { customer_session_client_secret: options.customerSessionClientSecret }
        : {}),
      ...(customer && ephemeralKey ? { customer, ephemeral_key: ephemeralKey } : {}),
    });
    if (answer.error) {
      part("failure").hidden = false;
      fit();
      say("loaderror", { error: answer.error });
      return;
    }
    session = answer;
    form.hidden = false;
    draw();
    say("ready");
  }

  field.number.addEventListener("input", () => {
    const number = digits(field.number.value).slice(0, isAmex() ? 15 : 16);
    field.number.value = isAmex()
      ? number.replace(/^(\d{4})(\d{1,6})?(\d{1,5})?$/, (_all, /** @type {(string | undefined)[]} */ ...groups) =>
          groups.slice(0, 3).filter(Boolean).join(" "),
        )
      : number.replace(/(\d{4})(?=\d)/g, "$1 ");
  });
  field.expiry.addEventListener("input", (event) => {
    const deleting = /** @type {InputEvent} */ (event).inputType === "deleteContentBackward";
    let typed = digits(field.expiry.value).slice(0, 4);
    if (typed.length === 1 && typed > "1") typed = `0${typed}`;
    field.expiry.value =
      typed.length > 2
        ? `${typed.slice(0, 2)} / ${typed.slice(2)}`
        : typed.length === 2 && !deleting
          ? `${typed} / `
          : typed;
  });
  field.cvc.addEventListener("input", () => {
    field.cvc.value = digits(field.cvc.value).slice(0, 4);
  });
  form.addEventListener("input", (event) => {
    const { name } = /** @type {HTMLInputElement} */ (event.target);
    // An error goes as its field is corrected. Were it to go when the field loses the focus, the frame would shrink under the
    // pointer, and the page's Pay button below it would move away between press and release: no click.
    if (part(`${name}-error`)?.textContent && !problems()[/** @type {CardField} */ (name)]) show({}, name);
    changed();
  });
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("focusin", (event) => {
    if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) say("focus");
  });
  form.addEventListener("focusout", (event) => {
    const left = /** @type {HTMLInputElement} */ (event.target);
    if (left.value && left.type !== "radio" && left.type !== "checkbox") show(problems(), left.name);
    if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) say("blur");
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") say("escape");
  });

  /** @type {Record<string, (payload: FormWire) => Promise<FormWire | void>>} */
  const tasks = {
    start,
    confirm,
    method,
    validate: async () => validate(),
    selected: async () => ({ type: chosen() === "pay_by_bank" ? "pay_by_bank" : "card" }),
    update: async (payload) => {
      options = { ...options, ...payload.options };
      dress(options.appearance);
    },
    focus: async () => /** @type {HTMLElement | null} */ (form.querySelector("input"))?.focus(),
    blur: async () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
    clear: async () => {
      form.reset();
      changed();
    },
  };
  /** @param {MessageEvent<FormWire>} event */
  async function hear(event) {
    if (event.source !== parent || event.data?.channel !== channel) return;
    const { id, type, payload } = event.data;
    const answer = await tasks[type]?.(payload);
    if (id) parent.postMessage({ channel, answerTo: id, payload: answer ?? {} }, event.origin);
  }
  window.addEventListener("message", (event) => void hear(event));
  say("loaded");
})();
