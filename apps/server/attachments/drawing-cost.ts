import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFStream } from "@cantoo/pdf-lib";
import { pdfLimits } from "./pdf-limits.ts";
import { RefusedFileError } from "./refused-file-error.ts";

/** `/Name Do`, with anything between the two that PDF reads as white space. */
const drawsForm = /\/([^\s/<>[\](){}%]+)(?:[\s\0]|%[^\r\n]*[\r\n])*Do\b/g;

/**
 * Refuses deeply nested forms: ten levels that each draw ten forms are a few hundred bytes and ten billion drawings. A
 * drawing costs its own bytes and those of everything that it draws.
 * @param bytesOf The unpacked bytes of each stream
 * @throws RefusedFileError if a page costs too much, or a form draws itself
 */
export function checkDrawings(context: PDFContext, bytesOf: ReadonlyMap<PDFStream, Uint8Array>): void {
  const known = new Map<PDFStream, number>();
  const costOf = (stream: PDFStream, resources: PDFObject | undefined): number => {
    const before = known.get(stream);
    if (before !== undefined) return before;
    // A form that needs its own cost draws itself.
    known.set(stream, Infinity);
    const bytes = bytesOf.get(stream) ?? new Uint8Array();
    let cost = bytes.length;
    const forms = resources instanceof PDFDict ? resources.lookup(PDFName.of("XObject")) : undefined;
    if (forms instanceof PDFDict) {
      for (const [, name = ""] of Buffer.from(bytes).toString("latin1").matchAll(drawsForm)) {
        const form = forms.lookup(PDFName.of(unescaped(name)));
        if (!(form instanceof PDFStream) || !isForm(form)) continue;
        // A form without resources uses those of the page or form that draws it.
        cost += costOf(form, form.dict.lookup(PDFName.of("Resources")) ?? resources);
        if (cost > pdfLimits.drawnBytes) throw new RefusedFileError("pdf-too-complex");
      }
    }
    known.set(stream, cost);
    return cost;
  };
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream && isForm(object)) costOf(object, object.dict.lookup(PDFName.of("Resources")));
    if (!(object instanceof PDFDict) || object.lookup(PDFName.of("Type")) !== PDFName.of("Page")) continue;
    const contents = object.lookup(PDFName.of("Contents"));
    const streams = contents instanceof PDFArray ? contents.asArray().map((_, at) => contents.lookup(at)) : [contents];
    for (const stream of streams) if (stream instanceof PDFStream) costOf(stream, inherited(object, "Resources"));
  }
}

function isForm(stream: PDFStream): boolean {
  return stream.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Form");
}

/** Returns a page's entry, or that of its nearest ancestor. */
function inherited(page: PDFDict, key: string): PDFObject | undefined {
  const seen = new Set<PDFDict>();
  for (let node: PDFObject | undefined = page; node instanceof PDFDict && !seen.has(node);) {
    const value = node.lookup(PDFName.of(key));
    if (value !== undefined) return value;
    seen.add(node);
    node = node.lookup(PDFName.of("Parent"));
  }
  return undefined;
}

function unescaped(name: string): string {
  return name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
