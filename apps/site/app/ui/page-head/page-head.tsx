import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";

/**
 * Title, description, canonical address and Open Graph properties of a page (U3). React moves them into the head. A
 * private page asks search engines to leave it out and has no Open Graph properties.
 */
export function PageHead({
  title,
  description,
  path,
  isPrivate = false,
}: {
  title: string | null;
  description?: string;
  path?: string;
  isPrivate?: boolean;
}) {
  const root = useRouteLoaderData("root") as RootData | undefined;
  const brand = root?.brand.name;
  const summary = description && shorten(description, 160);
  return (
    <>
      <title>{[title, brand].filter(Boolean).join(" | ")}</title>
      {summary && <meta name="description" content={summary} />}
      {path && root && <link rel="canonical" href={root.origin + path} />}
      {isPrivate && <meta name="robots" content="noindex" />}
      {path && root && !isPrivate && (
        <>
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={brand} />
          <meta property="og:title" content={title ?? `${brand}: ${root.brand.strapline}`} />
          {summary && <meta property="og:description" content={summary} />}
          <meta property="og:url" content={root.origin + path} />
          <meta property="og:locale" content="en_GB" />
          <meta property="og:image" content={`${root.origin}/brand/social.png`} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={`${brand}: ${root.brand.strapline}`} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}

function shorten(text: string, length: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= length) return flat;
  return `${flat.slice(0, flat.lastIndexOf(" ", length - 1))}…`;
}
