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

/** Every message that crosses the window boundary, in both directions (W3). */
export function MessageTables() {
  return (
    <>
      <MessageTable caption="From the frame to your page" messages={fromFrame} />
      <MessageTable caption="From your page to the frame" messages={toFrame} />
    </>
  );
}

function MessageTable({ caption, messages }: { caption: string; messages: Message[] }) {
  return (
    <div className="message-table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="label">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Payload</th>
            <th scope="col">Meaning</th>
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
