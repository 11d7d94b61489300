import { RetailerMark } from "../cards/retailer-mark.tsx";
import type { RetailerRow } from "./retailer-row.ts";

/** Retailers as rows of mark, name and rate, in as many columns as fit. */
export function RetailerList({ retailers }: { retailers: RetailerRow[] }) {
  return (
    <ul className="retailer-list" role="list">
      {retailers.map(({ slug, name, line }) => (
        <li key={slug}>
          <RetailerMark slug={slug} size={40} />
          <p>
            <a href={`/retailers/${slug}`}>{name}</a>
            <small className="soft">{line}</small>
          </p>
        </li>
      ))}
    </ul>
  );
}
