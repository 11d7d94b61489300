import { modalStyle } from "./modal-style.ts";

let sheet: CSSStyleSheet | undefined;

/**
 * Adds the modal's stylesheet to the page, unless it is there. A page that assigns `adoptedStyleSheets` has removed it. A constructed stylesheet needs neither a nonce nor 'unsafe-inline', so it works under
 * CSP style-src 'self'.
 */
export function adoptStyle(): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(modalStyle);
  }
  const { adoptedStyleSheets } = document;
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
}
