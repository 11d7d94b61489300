/** Returns an XML element with this text, or with these elements on lines of their own. */
export function xmlElement(name: string, content: string | readonly string[]): string {
  if (typeof content !== "string") return `<${name}>\n${content.join("\n")}\n</${name}>`;
  return `<${name}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</${name}>`;
}
