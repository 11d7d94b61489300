/** An element's content as a record has it: its text, or an object of its child elements; undefined for an empty one. */
export type XmlContent = string | { [name: string]: XmlContent | XmlContent[] };

/** An element that is being read. */
export interface XmlNode {
  name: string;
  /** The line of its start tag. */
  line: number;
  text: string;
  children: Map<string, XmlContent[]>;
}

export function newNode(name: string, line: number): XmlNode {
  return { name, line, text: "", children: new Map() };
}

/** Adds a child that has been read whole. Empty ones are left out. */
export function addChild(parent: XmlNode, child: XmlNode, repeated: readonly string[]): void {
  const content = contentOf(child, repeated);
  if (content === undefined) return;
  const known = parent.children.get(child.name);
  if (known) known.push(content);
  else parent.children.set(child.name, [content]);
}

/**
 * Returns an element's content: trimmed text where it has no children. Text beside children is "#text". Children that occur once are their content,
 * others and `repeated` ones are lists.
 */
export function contentOf({ text, children }: XmlNode, repeated: readonly string[]): XmlContent | undefined {
  const trimmed = text.trim();
  if (children.size === 0) return trimmed === "" ? undefined : trimmed;
  return Object.fromEntries([
    ...[...children].map(([name, all]) => [name, all.length > 1 || repeated.includes(name) ? all : all[0]!] as const),
    ...(trimmed === "" ? [] : [["#text", trimmed] as const]),
  ]);
}
