import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { JsonLd } from "../page-head/json-ld.tsx";
import { crumbFacts } from "../page-head/page-facts.ts";

export interface Crumb {
  name: string;
  path: string;
}

/**
 * The path to a page: for people as links, for search engines as structured data that ends with the page itself (U3).
 */
export function Crumbs({ steps, here }: { steps: readonly Crumb[]; here: Crumb }) {
  const root = useRouteLoaderData("root") as RootData | undefined;
  return (
    <nav aria-label="Where you are">
      <ol className="crumbs" role="list">
        {steps.map(({ name, path }) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ol>
      {root && <JsonLd facts={crumbFacts(root.origin, [...steps, here])} />}
    </nav>
  );
}
