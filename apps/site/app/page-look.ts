/** What the document around a page depends on. */
export interface PageLook {
  /** The body's data-controller and data-action (P7). */
  controller: string;
  action: string;
  /** False for pages that do without the styles of forms and of members' pages (styles/account.css). */
  hasAccountStyles: boolean;
  /** Whether the page has a search field of its own. */
  bringsSearch: boolean;
  /** Whether the page has no site header and footer. */
  isLean: boolean;
  /** Whether the page has no script. */
  isStill: boolean;
}

const ERROR_LOOK: PageLook = {
  controller: "errors",
  action: "show",
  hasAccountStyles: false,
  bringsSearch: false,
  isLean: false,
  isStill: false,
};

/**
 * Returns the look of the page that is shown: the error page's where there is an error or the page is unknown. React
 * Router's "no error" is null.
 */
export function shownLook(page: PageLook | undefined, error: unknown): PageLook {
  return error === undefined || error === null ? (page ?? ERROR_LOOK) : ERROR_LOOK;
}
