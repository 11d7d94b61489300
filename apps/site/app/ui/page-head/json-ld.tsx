/** Facts about a page for machines (schema.org), as a data block: no script runs, so the content security policy has nothing to say. */
export function JsonLd({ facts }: { facts: Record<string, unknown> }) {
  // "<" would let a text end the block.
  const text = JSON.stringify({ "@context": "https://schema.org", ...facts }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}
