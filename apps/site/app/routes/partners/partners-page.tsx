import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { servicesContext } from "../../site-context.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/partners-page";
import { MessageTables, PropertyTables } from "./message-tables.tsx";
import { Snippet } from "./snippet.tsx";
import { ELEMENT_MARKUP, mintAnswer, mintRequest, MOUNT_SCRIPT, policy, reactCode, scriptTag } from "./snippets.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { widgetRelease = null, partnerDemoUrl = null } = context.get(servicesContext);
  return { release: widgetRelease, demoUrl: partnerDemoUrl };
}

/** What a partner's developers need to place the payment widget in their own pages. */
export default function PartnersPage({ loaderData: { release, demoUrl } }: Route.ComponentProps) {
  const { brand, origin } = useRouteLoaderData("root") as RootData;
  return (
    <div className="wrap page partners-page">
      <PageHead
        title="For partners"
        description={`Take card payments for ${brand.name} in your own page, with three lines of HTML and a token from your server.`}
        path="/partners"
      />
      <header className="prose">
        <h1 className="display page-title">Payments in your own page</h1>
        <p>
          The payment widget shows a page of {brand.name} in a frame on yours. When your visitor wants to pay, it opens
          a card form on your page, and tells the frame when that is done. Card details go from your visitor to the card
          provider: neither you nor we see them.
        </p>
        <p>
          You need three things from us: an API key for your server, a publishable key for your page, and a list of the
          origins your pages are on. Ask at <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
        </p>
        {demoUrl && (
          <>
            <p>
              Try it first, as your visitors would see it: a pretend shop with the real widget. Only test cards work
              there, such as <code>4242 4242 4242 4242</code> with any later date and any security code, and no money
              moves.
            </p>
            <p className="button-row">
              <a className="button" href={demoUrl} rel="noopener">
                Pay in the demo shop
              </a>
              <a className="button is-quiet" href={new URL("/playground", demoUrl).href} rel="noopener">
                Change every property
              </a>
            </p>
          </>
        )}
      </header>

      <section aria-labelledby="token">
        <h2 id="token" className="display section-title">
          1. Mint a token on your server
        </h2>
        <p className="prose">
          Mint one token for each visitor who opens the page. It is valid for one minute, one frame, and the origin that
          you name. Your server fixes the price: your visitor sees it and presses Pay, and every other amount is
          refused. Keep the API key on your server: calls from browsers are refused.
        </p>
        <Snippet id="mint-request" label="Your server asks" code={mintRequest(origin)} />
        <Snippet id="mint-answer" label="We answer 201" code={mintAnswer(origin)} />
        <p className="prose">
          Refusals are <code>application/problem+json</code>, with what to do in <code>detail</code>. Every field is in{" "}
          <a href="/api/partner/openapi.json">the OpenAPI description</a>.
        </p>
      </section>

      <section aria-labelledby="page">
        <h2 id="page" className="display section-title">
          2. Place the widget, one of three ways
        </h2>
        <h3 className="display">Script tag</h3>
        <p className="prose">
          {release
            ? "This is the newest release, pinned by its hash: your page runs these bytes or none."
            : "This address always answers the running version, so it can’t be pinned by a hash."}
        </p>
        <Snippet id="script-tag" label="In your page’s head" code={scriptTag(origin, release)} />
        <Snippet id="mount-script" label="Then in your own script" code={MOUNT_SCRIPT} />
        <h3 className="display">Custom element</h3>
        <p className="prose">
          The same script tag, and an element where the payment goes, also inside a shadow root. Give it a height in
          your style sheet; the frame fills it.
        </p>
        <Snippet id="element" label="In your page’s body" code={ELEMENT_MARKUP} />
        <h3 className="display">React</h3>
        <p className="prose">
          React 18 or later. On a server it renders an empty box, so the token is never in your HTML.
        </p>
        <Snippet id="react" label="A component" code={reactCode(origin)} />
        <h3 className="display">Properties and events</h3>
        <p className="prose">
          Every property is also an attribute of the element, in the manner of <code>show-payment-errors</code>. A wrong
          one is a sentence on the console that says what to write, and a <code>LOAD_ERROR</code>.
        </p>
        <PropertyTables />
      </section>

      <section aria-labelledby="policy">
        <h2 id="policy" className="display section-title">
          3. Allow it in your Content Security Policy
        </h2>
        <p className="prose">
          Add these to what you have, with <code>https://link.com https://*.link.com</code> in <code>frame-src</code>{" "}
          and <code>connect-src</code> if the card form offers Link. The widget needs no inline script, no inline style
          and no <code>eval</code>. With <code>require-trusted-types-for</code>, allow the policy{" "}
          <code>farthing-widget</code>.
        </p>
        <Snippet id="csp" label="Content-Security-Policy" code={policy(origin)} />
      </section>

      <section aria-labelledby="proof">
        <h2 id="proof" className="display section-title">
          4. Believe our webhook
        </h2>
        <p className="prose">
          Nothing that happens in a browser proves that money moved. Give us an https address, and we post{" "}
          <code>payment.paid</code>, <code>payment.failed</code>, <code>payment.refunded</code>,{" "}
          <code>payment.refund_failed</code> and <code>payment.disputed</code> to it, signed in{" "}
          <code>Farthing-Signature</code>. They carry the session, and the amount and reference that your server fixed.{" "}
          <code>@farthing/widget/server</code> checks the signature in any runtime. A session without a price lets your
          visitor type both: compare them with your order before you ship it.
        </p>
      </section>

      <section aria-labelledby="messages">
        <h2 id="messages" className="display section-title">
          Messages
        </h2>
        <p className="prose">
          For those who look inside. Each is a JSON string of at most 64 KiB, sent to one origin and heard from one
          origin; only the error page of a frame without a valid token says to any origin what is wrong. Whatever has
          another shape is ignored.
        </p>
        <MessageTables />
      </section>

      <section aria-labelledby="versions">
        <h2 id="versions" className="display section-title">
          Versions
        </h2>
        <ul className="prose partners-list" role="list">
          <li>
            {release ? (
              <>
                The newest release is version <strong>{release.version}</strong>.{" "}
              </>
            ) : null}
            Versions are semantic: properties, events and messages change in a breaking way with a new major version
            only.
          </li>
          <li>
            The address with a version never changes its bytes. The address without one,{" "}
            <code>/widget/farthing-widget.js</code>, brings fixes by itself and can’t be pinned: it answers the running
            version, which can be newer than every release.
          </li>
          <li>New fields in messages, answers and webhooks are no new version: ignore what you don’t know.</li>
          <li>
            Every release stays at its address; <code>/widget/versions.json</code> lists them with their hashes, and{" "}
            <code>/widget/1/farthing-widget.js</code> is the newest version 1.
          </li>
        </ul>
      </section>
    </div>
  );
}
