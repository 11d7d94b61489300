import { findFaqs } from "@farthing/core/faqs/queries.server.ts";
import { type Faq, type FaqCategory, searchFaqs } from "@farthing/core/faqs/rules.ts";
import { data, href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { JsonLd } from "../../ui/page-head/json-ld.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Paragraphs } from "../../ui/text/paragraphs.tsx";
import type { Route } from "./+types/faq-page";
import stylesheet from "./faq-page.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/**
 * /faq, /faq/:category and /faq/:category/:question, which is the category with that question open; /faq?q=
 * searches (M8).
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const categories = await findFaqs(db, { brand });
  const { q: query } = readParameters(request, "/faq/:category?/:question?");
  const listed = categories.filter(({ isHidden }) => !isHidden);
  const tabs = listed.map(({ slug, name }) => ({ slug, name }));
  const { supportEmail } = brand;
  if (query !== "" && params.category === undefined) {
    const found = searchFaqs(categories, query).map(({ category, faq }) => ({ ...faq, category: category.slug }));
    return { tabs, supportEmail, query, category: null, open: null, faqs: found };
  }
  const category = params.category === undefined ? listed[0] : categories.find(({ slug }) => slug === params.category);
  const open = category?.faqs.find(({ slug }) => slug === params.question) ?? null;
  if (params.category !== undefined && (!category || (params.question !== undefined && !open))) throw data(null, 404);
  return { tabs, supportEmail, query: "", category: category ?? null, open, faqs: withCategory(category) };
}

function withCategory(category: FaqCategory | undefined): FoundFaq[] {
  return category ? category.faqs.map((faq) => ({ ...faq, category: category.slug })) : [];
}

interface FoundFaq extends Faq {
  category: string;
}

const FAQ = "/faq/:category?/:question?";

const pathOf = ({ category, slug }: FoundFaq) => href(FAQ, { category, question: slug });

export default function FaqPage({ loaderData }: Route.ComponentProps) {
  const { tabs, supportEmail, query, category, open, faqs } = loaderData;
  // The first subject is shown where the address names none.
  const subjectPath = href(FAQ, category && category.slug !== tabs[0]?.slug ? { category: category.slug } : {});
  const path = open && category ? pathOf({ ...open, category: category.slug }) : subjectPath;
  return (
    <div className="wrap page faq-page">
      <PageHead
        title={
          open?.question ??
          (query ? `Questions about “${query}”` : `${category?.name ?? "Help"}: questions and answers`)
        }
        description={
          open?.answer ?? `Questions about ${category?.name.toLowerCase() ?? "the club"}, answered in plain words.`
        }
        path={path}
        isPrivate={query !== ""}
      />
      {query === "" && faqs.length > 0 && <JsonLd facts={factsOf(open ? [open] : faqs)} />}
      <header className="faq-head">
        <h1 className="display page-title">Questions and answers</h1>
        <FaqSearch query={query} />
      </header>
      <nav className="faq-tabs" aria-label="Subjects">
        <ul role="list">
          {tabs.map(({ slug, name }) => (
            <li key={slug}>
              <a href={href(FAQ, { category: slug })} aria-current={slug === category?.slug ? "page" : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="faq-list">
        <h2 id="faq-list" className="display section-title">
          {query ? foundWords(faqs.length, query) : category?.name}
        </h2>
        {faqs.length === 0 ? (
          <EmptyState title={query ? "No answer with those words" : "No questions yet"}>
            <p>
              Try other words or look through the subjects above. You can always write to{" "}
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
            </p>
          </EmptyState>
        ) : (
          <div className="faq-list">
            {faqs.map((faq) => (
              <Question key={faq.category + faq.slug} faq={faq} isOpen={faq.slug === open?.slug} />
            ))}
          </div>
        )}
      </section>
      <p className="soft faq-more">
        Still stuck? Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </div>
  );
}

function FaqSearch({ query }: { query: string }) {
  return (
    <form action="/faq" method="get" className="faq-search">
      <label htmlFor="faq-q">Search the answers</label>
      <div>
        <input
          id="faq-q"
          type="search"
          name="q"
          className="input"
          defaultValue={query}
          maxLength={200}
          enterKeyHint="search"
        />
        <button type="submit" className="button">
          Search answers
        </button>
      </div>
    </form>
  );
}

/** The target of a #link is inside the answer, so browsers open the question around it by themselves. */
function Question({ faq, isOpen }: { faq: FoundFaq; isOpen: boolean }) {
  return (
    <details className="faq" open={isOpen}>
      <summary>
        <h3>{faq.question}</h3>
      </summary>
      <div id={faq.slug} className="faq-answer">
        <Paragraphs text={faq.answer} />
        <p>
          <a href={pathOf(faq)}>Link to this answer</a>
        </p>
      </div>
    </details>
  );
}

function foundWords(count: number, query: string): string {
  return `${count === 1 ? "1 answer" : `${count} answers`} for “${query}”`;
}

function factsOf(faqs: readonly Faq[]): Record<string, unknown> {
  return {
    "@type": "FAQPage",
    mainEntity: faqs.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}
