import { letterSchema } from "@farthing/core/catalogue/schema.ts";
import { pageHandle } from "../../page-handle.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { pagePath } from "../../ui/page-path.ts";
import { RetailerList, type RetailerRow, toRetailerRow } from "../../ui/retailer-list.tsx";
import type { Route } from "./+types/retailer-list-page";

export const handle = pageHandle("retailers", "index");

/** Beyond this the page is shown a letter at a time. */
const mostOnOnePage = 300;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { findRetailersAToZ } = context.get(catalogueContext);
  const { now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const letter = letterSchema.parse(new URL(request.url).searchParams.get("letter"));
  const found = await findRetailersAToZ({ brandId: brand.id, now: now(), letter });
  const total = found.letters.reduce((sum, { retailers }) => sum + retailers, 0);
  const first = found.letters[0]?.letter ?? null;
  const shown =
    letter === null && total > mostOnOnePage && first
      ? await findRetailersAToZ({ brandId: brand.id, now: now(), letter: first })
      : found;
  return {
    letters: found.letters.map(({ letter: name }) => name),
    letter: shown.letter,
    total,
    retailers: shown.retailers.map(toRetailerRow),
  };
}

export default function RetailerListPage({ loaderData }: Route.ComponentProps) {
  const { letters, letter, total, retailers } = loaderData;
  return (
    <div className="wrap page">
      <PageHead
        title={letter ? `Retailers: ${letterName(letter)}` : "Retailers A to Z"}
        description="Every shop where you earn cashback or get a code, from A to Z."
        path={pagePath("/retailers", { letter })}
      />
      <header className="page-head">
        <h1 className="display page-title">Retailers, A to Z</h1>
        <p className="soft">{total === 1 ? "1 shop" : `${total} shops`} with cashback, codes or deals for you.</p>
      </header>
      {total === 0 ? (
        <EmptyState title="No retailers yet">
          <p>Look in again soon.</p>
        </EmptyState>
      ) : (
        <>
          <nav className="letters" aria-label="Letters">
            <ul role="list">
              {total > retailers.length && letter === null ? null : (
                <li>
                  <a href="/retailers" aria-current={letter === null ? "page" : undefined}>
                    All
                  </a>
                </li>
              )}
              {letters.map((name) => (
                <li key={name}>
                  <a
                    href={pagePath("/retailers", { letter: name })}
                    aria-current={name === letter ? "page" : undefined}
                  >
                    {letterName(name)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          {byLetter(retailers).map(([name, group]) => (
            <section key={name} className="letter-section" aria-label={letterName(name)}>
              <h2 className="display" aria-hidden="true">
                {letterName(name)}
              </h2>
              <RetailerList retailers={group} />
            </section>
          ))}
        </>
      )}
    </div>
  );
}

function letterName(letter: string): string {
  return letter === "0" ? "0–9" : letter.toUpperCase();
}

/** Groups in the order given; accents do not part a name from its letter. */
function byLetter(retailers: RetailerRow[]): [string, RetailerRow[]][] {
  const groups = new Map<string, RetailerRow[]>();
  for (const retailer of retailers) {
    const initial = retailer.name.normalize("NFKD").charAt(0).toLowerCase();
    const letter = /[a-z]/.test(initial) ? initial : "0";
    groups.set(letter, [...(groups.get(letter) ?? []), retailer]);
  }
  return [...groups];
}
