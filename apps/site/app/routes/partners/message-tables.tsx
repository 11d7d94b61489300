interface Message {
  type: string;
  payload: string;
  meaning: string;
}

const fromFrame: Message[] = [
  {
    type: "STRIPE_PAYMENT_INTENT",
    payload: "clientSecret, ephemeralKey, customerId, paymentAmount (pounds), context { token }, color (optional)",
    meaning: "The visitor wants to pay: the widget opens the card form on your page.",
  },
  {
    type: "OPEN_URL",
    payload: "url, newTab (optional)",
    meaning: "A link leads out of the frame. Absolute http and https addresses only, at most one a second.",
  },
  {
    type: "REDIRECT_PAYMENT",
    payload: "url, newTab (optional)",
    meaning: "A payment goes on elsewhere. The same rules as for OPEN_URL.",
  },
  {
    type: "RESIZE",
    payload: "height, width, identifier (optional)",
    meaning: "The content’s size changed. Handed on to onEvent: keep it within bounds before you use it.",
  },
  {
    type: "NAVIGATION_NO_BACK",
    payload: "url",
    meaning: "Going back from here would break something. Handed on to onEvent.",
  },
];

const toFrame: Message[] = [
  {
    type: "REDIRECT_CONFIG",
    payload: "paymentSuccess { templateUrl, idPlaceholder }",
    meaning: "Your redirect property: sent once the frame has loaded, then every second while you give one.",
  },
  {
    type: "STRIPE_PAYMENT_COMPLETE",
    payload: "context { token }",
    meaning: "The card form is done. No proof of payment: the frame asks our server, and so should yours.",
  },
];

const events: Message[] = [
  { type: "READY", payload: "none", meaning: "The frame shows its page." },
  {
    type: "LOAD_ERROR",
    payload: "reason, message",
    meaning:
      "Something did not load, or a page is of no more use. After the reasons spent, expired and session-ended, set a new token.",
  },
  { type: "MODAL_OPENED", payload: "none", meaning: "The card form is open." },
  { type: "MODAL_CLOSED", payload: "none", meaning: "The card form is closed." },
  {
    type: "PAYMENT_COMPLETE",
    payload: "context { token }",
    meaning: "The card provider accepted the payment in this browser. Not proof: only the webhook is.",
  },
  { type: "PAYMENT_ERROR", payload: "message, code", meaning: "A payment was declined, or could not start." },
  { type: "OPEN_URL_BLOCKED", payload: "url", meaning: "The browser would have blocked a new tab. Offer a link." },
  { type: "TOKEN_NEEDED", payload: "none", meaning: "A lazy widget has come near the view. Mint a token now." },
  { type: "WIDGET_LOAD_TIMEOUT", payload: "none", meaning: "The frame was silent for 15 seconds." },
];

const properties: Message[] = [
  { type: "token", payload: "text, required", meaning: "From your server: one minute, one load, one origin." },
  { type: "environment", payload: "dev, staging or production, required", meaning: "Which service to open." },
  { type: "path", payload: "text, such as /pay", meaning: "The page to show. Without it, the front page." },
  {
    type: "redirect",
    payload: "paymentSuccess { templateUrl, idPlaceholder }",
    meaning: "Where visitors return to from a bank’s page.",
  },
  { type: "onEvent", payload: "function", meaning: "Receives the events below." },
  { type: "style, className", payload: "as in HTML and React", meaning: "The box around the frame. Give it a height." },
  {
    type: "autoHeight, skeleton, loading",
    payload: "true; true; lazy",
    meaning: "The height follows the content; a grey box until the page is there; the frame loads near the view.",
  },
  {
    type: "locale, appearance, frameTitle",
    payload: "a language; the card provider’s look; text",
    meaning: "The card form’s words and look, and the frame’s name for assistive technology.",
  },
  {
    type: "showPaymentErrors",
    payload: "true",
    meaning: "Declined payments also show the card provider’s reason in the card form.",
  },
];

/** What a partner's page gives to the widget, and hears from it. */
export function PropertyTables() {
  return (
    <>
      <MessageTable caption="What you give it" heads={["Property", "Value", "Meaning"]} messages={properties} />
      <MessageTable caption="What onEvent tells you, besides RESIZE and NAVIGATION_NO_BACK" messages={events} />
    </>
  );
}

/** Every message that crosses the window boundary, in both directions (W3). */
export function MessageTables() {
  return (
    <>
      <MessageTable caption="From the frame to your page" messages={fromFrame} />
      <MessageTable caption="From your page to the frame" messages={toFrame} />
    </>
  );
}

const HEADS = ["Type", "Payload", "Meaning"] as const;

function MessageTable({
  caption,
  heads = HEADS,
  messages,
}: {
  caption: string;
  heads?: readonly string[];
  messages: Message[];
}) {
  return (
    <div className="message-table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="label">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {messages.map(({ type, payload, meaning }) => (
            <tr key={type}>
              <th scope="row">
                <code>{type}</code>
              </th>
              <td>{payload}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
