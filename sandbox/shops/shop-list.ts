import { html } from "hono/html";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Html } from "../pages/plain-page.ts";

const MAX_LISTED = 300;

/** The list of all shops, with a filter by name. A visit from here has no click and is not tracked. */
export function shopList(catalogue: Catalogue, wanted: string): Html {
  const words = wanted.toLowerCase().trim();
  const all = catalogue
    .programmes()
    .filter((one) => one.name.toLowerCase().includes(words))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en-GB"));
  return html`<div>
      <h1>Shops</h1>
      <p class="lead">
        Entered from here, a shop knows of no click and reports nothing to the network. Follow one of the publisher's
        links to be tracked.
      </p>
    </div>
    <section class="panel" aria-label="All shops">
      <form method="get" class="inline" role="search">
        <label for="q">Find a shop</label><input id="q" name="q" type="search" value="${wanted}" /><button>Find</button>
      </form>
      ${
        all.length === 0
          ? html`<p class="empty">
              ${words ? `No shop is called “${wanted}”.` : "The catalogue files have not been written yet."}
            </p>`
          : html`<ul class="shops">
                ${all.slice(0, MAX_LISTED).map((one) => {
                  const slug = catalogue.shopSlug(one);
                  return html`<li>
                    <img src="/shops/${slug}/mark.svg" alt="" width="28" height="28" loading="lazy" /><a
                      href="/shops/${slug}/"
                      >${one.name}</a
                    >
                  </li>`;
                })}
              </ul>
              ${all.length > MAX_LISTED ? html`<p class="small">${all.length - MAX_LISTED} more; find them by name.</p>` : ""}`
      }
    </section>`;
}
