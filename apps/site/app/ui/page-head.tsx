import { useRouteLoaderData } from "react-router";
import type { RootData } from "../root.tsx";

/** Title, description and canonical address; React puts them in the head. Pages that should not be found by search engines say so. */
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
  return (
    <>
      <title>{[title, brand].filter(Boolean).join(" | ")}</title>
      {description && <meta name="description" content={shorten(description, 160)} />}
      {path && root && <link rel="canonical" href={root.origin + path} />}
      {isPrivate && <meta name="robots" content="noindex" />}
    </>
  );
}

function shorten(text: string, length: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= length) return flat;
  return `${flat.slice(0, flat.lastIndexOf(" ", length - 1))}…`;
}
