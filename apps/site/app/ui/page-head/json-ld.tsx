/**
 * Structured data about a page (schema.org). It is a data block, which the content security policy does not restrict.
 */
export function JsonLd({ facts }: { facts: Record<string, unknown> }) {
  // An unescaped "<" would let a text end the block.
  const text = JSON.stringify({ "@context": "https://schema.org", ...facts }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}
