/** A retailer's drawn mark. Decorative: the name always stands beside it. Only marks in view are fetched, unless it is the page's own. */
export function RetailerMark({ slug, size, isOwn = false }: { slug: string; size: number; isOwn?: boolean }) {
  return (
    <img
      className="retailer-mark"
      src={`/art/retailers/${slug}.svg`}
      alt=""
      width={size}
      height={size}
      loading={isOwn ? "eager" : "lazy"}
      decoding="async"
    />
  );
}
