/**
 * A retailer's drawn mark. It is decorative, because the name always stands beside it. Loads lazily, except on the
 * retailer's own page.
 */
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
