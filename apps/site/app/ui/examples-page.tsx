import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLocation } from "react-router";
import type { Example } from "@farthing/ui/examples.ts";
import AwakeExample from "./example.island.tsx";
import { examplePages, partName } from "./example-paths.ts";
import { partExamples } from "./example-parts.ts";
import { FavouritesProvider } from "./favourites/favourites.tsx";
import { PageHead } from "./page-head/page-head.tsx";
import "./examples-page.css";

const pages = Object.entries(partExamples).flatMap(([folder, part]) =>
  examplePages(folder, part).map((page) => ({ ...page, folder, part: partName(folder) })),
);

/** Components of these folders are used inside islands, so their examples are islands here. */
const isUsedInIslands = (folder: string) => folder.startsWith("packages/ui/") || folder.endsWith("/ui/forms");

function render(folder: string, component: string, { name, render }: Example): ReactNode {
  return isUsedInIslands(folder) ? <AwakeExample folder={folder} component={component} name={name} /> : render();
}

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname } = new URL(request.url);
  if (pathname !== "/examples" && !pages.some(({ path }) => path === pathname))
    throw new Response(null, { status: 404 });
  return null;
}

/** Every component in every state that matters, in development only (docs/components.md). */
export default function ExamplesPage() {
  const { pathname } = useLocation();
  const page = pages.find(({ path }) => path === pathname);
  if (!page) return <List />;
  const { title, shown, folder } = page;
  if (shown.length === 1 && shown[0]?.examples.length === 1 && shown[0].examples[0]?.isWholePage) {
    const [example] = shown[0].examples;
    return (
      <>
        {shown[0].component !== "page-head" && <PageHead title={title} isPrivate />}
        <h1 className="visually-hidden">{title}</h1>
        {render(folder, shown[0].component, example)}
      </>
    );
  }
  return (
    <FavouritesProvider kept={["offer/kept", "retailer/kept", "alert/kept"]} address={pathname}>
      <PageHead title={title} isPrivate />
      <div className="wrap examples">
        <p>
          <a href="/examples">All examples</a>
        </p>
        <h1 className="display page-title">{title}</h1>
        {shown.map(({ component, examples }) => (
          <section key={component} aria-labelledby={component} className="examples-component">
            <h2 id={component} className="display section-title">
              {component}
            </h2>
            {examples.map((example) => (
              <article key={example.name} aria-label={`${component}: ${example.name}`} className="examples-one">
                <h3 className="label">{example.name}</h3>
                {example.note && <p className="soft">{example.note}</p>}
                {render(folder, component, example)}
              </article>
            ))}
          </section>
        ))}
      </div>
    </FavouritesProvider>
  );
}

function List() {
  return (
    <div className="wrap examples">
      <PageHead title="Examples" isPrivate />
      <h1 className="display page-title">Examples</h1>
      {Object.keys(partExamples).map((folder) => {
        const part = partName(folder);
        return (
          <section key={folder} aria-labelledby={part}>
            <h2 id={part} className="display section-title">
              {part}
            </h2>
            <ul className="dashes">
              {pages
                .filter((page) => page.part === part)
                .map(({ path, title }) => (
                  <li key={path}>
                    <a href={path}>{title}</a>
                  </li>
                ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
