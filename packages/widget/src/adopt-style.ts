import { modalStyle } from "./modal-style.ts";

let sheet: CSSStyleSheet | undefined;

/**
 * Adds the modal's stylesheet to the page, once. A constructed stylesheet needs neither a nonce nor 'unsafe-inline', so it works under
 * CSP style-src 'self'.
 */
export function adoptStyle(): void {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(modalStyle);
  document.adoptedStyleSheets.push(sheet);
}
