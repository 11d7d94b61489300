import { findLegalPage } from "@farthing/core/legal-pages/queries.server.ts";
import type { LegalBlock, LegalWords } from "@farthing/core/legal-pages/legal-text.ts";
import { data, href } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/legal-page";
import stylesheet from "./legal-page.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** /legal/:page: terms, privacy and other texts of the brand (B3). */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const page = await findLegalPage(context.get(servicesContext).db, { brand, slug: params.page });
  if (!page) throw data(null, 404);
  return { page, others: brand.legalPages.filter(({ slug }) => slug !== page.slug) };
}

export default function LegalPage({ loaderData: { page, others } }: Route.ComponentProps) {
  const headings = page.blocks.filter((block) => block.kind === "heading");
  return (
    <div className="wrap page legal-page">
      <PageHead title={page.title} description={page.summary} path={href("/legal/:page", { page: page.slug })} />
      <header className="legal-head">
        <h1 className="display page-title">{page.title}</h1>
        <p className="legal-summary">{page.summary}</p>
        <p className="soft">
          <small>
            Last changed on <time dateTime={page.updatedOn}>{longDate(new Date(`${page.updatedOn}T12:00:00Z`))}</time>
          </small>
        </p>
      </header>
      {headings.length > 2 && (
        <nav className="legal-contents no-print" aria-labelledby="contents">
          <h2 id="contents" className="label">
            On this page
          </h2>
          <ul role="list">
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="legal-text">
        {page.blocks.map((block, index) => (
          <Block key={index} block={block} />
        ))}
      </div>
      {others.length > 0 && (
        <nav className="legal-others no-print" aria-labelledby="others">
          <h2 id="others" className="label">
            See also
          </h2>
          <ul role="list">
            {others.map(({ slug, title }) => (
              <li key={slug}>
                <a href={href("/legal/:page", { page: slug })}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

function Block({ block }: { block: LegalBlock }) {
  switch (block.kind) {
    case "heading":
      return (
        <h2 id={block.id} className="display legal-title">
          {block.text}
        </h2>
      );
    case "paragraph":
      return (
        <p>
          <Words words={block.words} />
        </p>
      );
    case "list":
      return (
        <ul className="dashes">
          {block.items.map((words, index) => (
            <li key={index}>
              <Words words={words} />
            </li>
          ))}
        </ul>
      );
    case "table":
      return <Table block={block} />;
  }
}

/** On a phone each row is a block of its own, with the column's name before each cell. */
function Table({ block: { head, rows } }: { block: Extract<LegalBlock, { kind: "table" }> }) {
  return (
    <table className="legal-table">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((words, column) =>
              column === 0 ? (
                <th key={column} scope="row">
                  <Words words={words} />
                </th>
              ) : (
                <td key={column}>
                  <span className="legal-cell-name" aria-hidden="true">
                    {head[column]}
                  </span>
                  <Words words={words} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Words({ words }: { words: LegalWords }) {
  return words.map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      <a key={index} href={part.href}>
        {part.text}
      </a>
    ),
  );
}
