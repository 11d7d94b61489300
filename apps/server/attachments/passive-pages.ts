import {
  PDFArray,
  PDFCatalog,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { MAX_PDF_PAGES } from "@farthing/core/attachments/rules.ts";
import { RefusedFileError } from "./refused-file-error.ts";

const catalogKeys = keys("Type Pages OCProperties AcroForm Lang");
const treeKeys = keys("Type Kids Count Parent Resources MediaBox CropBox Rotate");
const pageKeys = keys(
  "Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox Contents Rotate Group UserUnit Annots",
);
const formKeys = keys("Fields DR DA Q NeedAppearances");
/** Keys of annotations and fields that say how they look and what they contain. */
const markKeys = keys(
  "Type Subtype Rect Contents F AP AS Border BS BE RD C IC CA ca DA DS RC Q OC Name QuadPoints L LE LL LLE Cap CL IT Vertices InkList MK FT Ff V DV Opt MaxLen Parent Kids",
);
/** Subtypes of annotations that only show something. Links, films, sounds, windows and 3D scenes are not among them. */
const markSubtypes = keys(
  "Widget Text FreeText Stamp Ink Highlight Underline StrikeOut Squiggly Square Circle Line Polygon PolyLine Caret Redact",
);
/** Keys of streams that name other files and documents, or that only editors read. */
const streamExtras = ["F", "FFilter", "FDecodeParms", "Ref", "OPI", "AF", "Metadata", "PieceInfo", "Measure", "PtData"];
const actionTypes = keys(
  "GoTo GoToR GoToE GoToDp Launch Thread URI Sound Movie Hide Named SubmitForm ResetForm ImportData JavaScript SetOCGState Rendition Trans GoTo3DView RichMediaExecute",
);

/**
 * Reduces a document to its pages and what draws them. Keys in the lists of this file stay; actions, links and
 * everything beside the pages are removed, and so is every object that no page needs.
 * @returns the streams that are left
 * @throws RefusedFileError if there are too many pages, or none
 */
export function keepPagesOnly(context: PDFContext): PDFStream[] {
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFCatalog)) throw new RefusedFileError("unreadable");
  keepKeys(catalog, catalogKeys);
  context.trailerInfo = { Root: context.trailerInfo.Root! };
  const form = catalog.lookupMaybe(PDFName.of("AcroForm"), PDFDict);
  if (form) {
    keepKeys(form, formKeys);
    cleanMarks(form, "Fields");
  }
  for (const page of pagesOf(catalog)) {
    keepKeys(page, pageKeys);
    cleanMarks(page, "Annots");
  }
  return keepReachable(context);
}

/** Walks the tree of pages without trusting it: no node twice, and at most the allowed number of pages. */
function pagesOf(catalog: PDFCatalog): PDFPageLeaf[] {
  const pages: PDFPageLeaf[] = [];
  const seen = new Set<PDFObject>();
  const waiting: (PDFObject | undefined)[] = [catalog.lookup(PDFName.of("Pages"))];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) throw new RefusedFileError("unreadable");
    seen.add(node);
    if (node instanceof PDFPageLeaf) pages.push(node);
    else if (node instanceof PDFPageTree) {
      keepKeys(node, treeKeys);
      const kids = node.Kids();
      waiting.push(...kids.asArray().map((_, at) => kids.lookup(at)));
    } else throw new RefusedFileError("unreadable");
    if (pages.length > MAX_PDF_PAGES) throw new RefusedFileError("pdf-too-long");
  }
  if (pages.length === 0) throw new RefusedFileError("unreadable");
  return pages;
}

/**
 * Returns the annotations or fields of an array, and the fields below them, that only show something, without
 * their actions.
 */
function cleanMarks(parent: PDFDict, key: string): void {
  const seen = new Set<PDFObject>();
  const clean = (owner: PDFDict, name: string) => {
    const marks = owner.lookup(PDFName.of(name));
    if (!(marks instanceof PDFArray)) return owner.delete(PDFName.of(name));
    const kept = PDFArray.withContext(owner.context);
    for (const [at, entry] of marks.asArray().entries()) {
      const mark = marks.lookup(at);
      if (!(mark instanceof PDFDict) || !isMark(mark)) continue;
      kept.push(entry);
      if (seen.has(mark)) continue;
      seen.add(mark);
      keepKeys(mark, markKeys);
      if (mark.has(PDFName.of("Kids"))) clean(mark, "Kids");
    }
    owner.set(PDFName.of(name), kept);
    return true;
  };
  clean(parent, key);
}

/** A field without a subtype is a parent of other fields. */
function isMark(mark: PDFDict): boolean {
  const subtype = mark.lookup(PDFName.of("Subtype"));
  return subtype instanceof PDFName ? markSubtypes.has(subtype.decodeText()) : mark.has(PDFName.of("Kids"));
}

/**
 * Deletes objects that are not reachable from the catalogue, entries that are actions, and what streams say of
 * other files.
 */
function keepReachable(context: PDFContext): PDFStream[] {
  const reached = new Set<PDFObject>();
  const refs = new Set<PDFRef>();
  const streams: PDFStream[] = [];
  const waiting: (PDFObject | undefined)[] = [context.trailerInfo.Root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next instanceof PDFRef) {
      if (!refs.has(next)) waiting.push(context.lookup(next));
      refs.add(next);
      continue;
    }
    if (next === undefined || reached.has(next)) continue;
    if (next instanceof PDFStream) {
      streams.push(next);
      for (const key of streamExtras) next.dict.delete(PDFName.of(key));
    }
    const dict = next instanceof PDFStream ? next.dict : next;
    if (dict instanceof PDFDict) {
      reached.add(next);
      for (const [key, value] of dict.entries()) {
        if (isAction(context, value)) dict.delete(key);
        else waiting.push(value);
      }
    } else if (next instanceof PDFArray) {
      reached.add(next);
      for (let at = next.size() - 1; at >= 0; at -= 1) {
        if (isAction(context, next.get(at))) next.remove(at);
        else waiting.push(next.get(at));
      }
    }
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!refs.has(ref)) context.delete(ref);
  return streams;
}

/** Whether an entry holds an action, or one for each of several events. */
function isAction(context: PDFContext, entry: PDFObject): boolean {
  const value = context.lookup(entry);
  if (!(value instanceof PDFDict)) return false;
  const type = value.lookup(PDFName.of("S"));
  return type instanceof PDFName && actionTypes.has(type.decodeText());
}

function keepKeys(dict: PDFDict, allowed: ReadonlySet<string>): void {
  for (const key of dict.keys()) if (!allowed.has(key.decodeText())) dict.delete(key);
}

function keys(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
