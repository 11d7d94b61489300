/**
 * Returns a readable key for a URL: the letters and digits of the text without accents, joined by hyphens, cut at the end of a word at 80
 * characters or fewer. "Café Amberlune" becomes "cafe-amberlune"; text without a letter or digit becomes `fallback`.
 */
export function slugOf(text: string, fallback: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f'’]/g, "")
    .replace(/&/g, " and ")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const cut =
    plain.length <= 80
      ? plain
      : plain
          .slice(0, 81)
          .replace(/-[^-]*$/, "")
          .slice(0, 80)
          .replace(/-+$/, "");
  return cut === "" ? fallback : cut;
}
