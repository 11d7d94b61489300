import { html, raw } from "hono/html";
import type { Html } from "../pages/plain-page.ts";
import { type GuideComponent, readGuide } from "./guide-bundle.ts";
import { partnerFrame } from "./partner-frame.ts";
import type { View, WidgetAddresses } from "./partner-pages.ts";

export interface Guide {
  /** The page is /guides/<slug>, the document docs/widget/<slug>.md. */
  slug: string;
  title: string;
  what: string;
  /** The component that the page's script starts. Other pages have the script tag and the element. */
  component?: GuideComponent;
}

export const guides: readonly Guide[] = [
  { slug: "plain-script", title: "Plain script", what: "A script tag and Farthing.mount." },
  { slug: "react", title: "React", what: "The component, for React 18 and later.", component: "payment.tsx" },
  {
    slug: "react-element",
    title: "The element in React",
    what: "The element in the JSX of React 19.",
    component: "payment-element.tsx",
  },
  { slug: "vue", title: "Vue", what: "The element in a template of Vue 3.", component: "payment.vue" },
  { slug: "svelte", title: "Svelte", what: "The element in a template of Svelte 5.", component: "payment.svelte" },
  {
    slug: "content-security-policy",
    title: "Content Security Policy",
    what: "A page with the documented policy and nothing else allowed.",
  },
  { slug: "cross-origin-isolation", title: "COOP and COEP", what: "A page with a cross-origin opener policy." },
  { slug: "wallets", title: "Apple Pay and Google Pay", what: "A page with a permissions policy for payments." },
];

/** The list of guides. */
export const guideListPage = (): Html =>
  partnerFrame({
    title: "Guides",
    path: "/guides",
    body: html`<h1>Guides</h1>
      <p>Each guide of the documentation, as a page that works.</p>
      <dl class="guides">
        ${guides.map(
          ({ slug, title, what }) =>
            html`<div>
              <dt><a href="/guides/${slug}">${title}</a></dt>
              <dd>${what}</dd>
            </div>`,
        )}
      </dl>`,
  });

/** A guide's page: the documented code with this shop's addresses and a new token. */
export function guidePage({ slug, title, what, component }: Guide, { addresses, token, order }: View): Html {
  return partnerFrame({
    title,
    path: "/guides",
    scripts: component
      ? html`<script defer src="/guides/${slug}.js"></script>`
      : html`<script async src="${addresses.serviceUrl}/widget/farthing-widget.js"></script>`,
    body: html`<h1>${title}</h1>
      <p>${what} Your reference is <b class="reference">${order.reference}</b>.</p>
      ${place()}
      <p class="note"><a href="/guides">All guides</a></p>`,
  });

  function place(): Html {
    if (component) return html`<div id="root" data-token="${token}"></div>`;
    if (slug === "plain-script") return html`${raw(readGuide("plain-script.html", addresses))}`;
    return html`<farthing-widget
      class="payment"
      environment="production"
      token="${token}"
      path="/pay"
    ></farthing-widget>`;
  }
}

/** Returns the headers that a guide documents, with this shop's addresses. */
export function guideHeaders(slug: string, addresses: WidgetAddresses, embedder: string | undefined) {
  const cards = new URL(addresses.cardScriptUrl).origin;
  const text = (name: string) =>
    readGuide(`${name}.txt`, addresses)
      // The sandbox's card provider is one host.
      .replaceAll(/https:\/\/(\*\.)?\w+\.stripe\.com/g, cards)
      .trim();
  const headers = new Map<string, string>();
  if (slug === "content-security-policy") {
    const documented = text(slug).replaceAll("\n", " ");
    headers.set(
      "Content-Security-Policy",
      `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; ${documented}`,
    );
  }
  if (slug === "wallets" || slug === "cross-origin-isolation") {
    for (const line of text(slug).split("\n")) {
      const [name = "", value = ""] = line.split(/: (.*)/);
      headers.set(name, value);
    }
  }
  if (slug === "cross-origin-isolation" && (embedder === "require-corp" || embedder === "credentialless")) {
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", embedder);
  }
  return headers;
}
