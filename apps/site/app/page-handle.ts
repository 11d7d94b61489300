import type { UIMatch } from "react-router";

/** Names a page's behaviour, as the body's data-controller and data-action do (product.md P7). */
export interface PageHandle {
  controller: string;
  action: string;
  /** True where the page brings its own search field. */
  bringsSearch: boolean;
  /** True where the page stands without the site's header and footer: in a partner's frame. */
  isLean: boolean;
  /** True where the page has no script at all. */
  isStill: boolean;
}

/** What a route exports as its `handle`. */
export function pageHandle(
  controller: string,
  action: string,
  { bringsSearch = false, isLean = false, isStill = false } = {},
): { page: PageHandle } {
  return { page: { controller, action, bringsSearch, isLean, isStill } };
}

const errorPage: PageHandle = {
  controller: "errors",
  action: "show",
  bringsSearch: false,
  isLean: false,
  isStill: false,
};

/** The handle of the page that is shown: the error page's while there is an error, else the innermost route's. */
export function shownPage(matches: UIMatch[], error: unknown): PageHandle {
  // React Router says null while there is none.
  if (error !== undefined && error !== null) return errorPage;
  const handles = matches.map(({ handle }) => (handle as { page?: PageHandle } | undefined)?.page);
  return handles.findLast((page) => page !== undefined) ?? errorPage;
}

const lookingAround = new Set(["home", "search", "retailers", "offers", "categories", "faqs", "legal", "errors"]);

/** Whether a page is one that people come to first, on any line: it does without the styles of forms and members' own pages (styles/account.css). */
export function isForLookingAround({ controller, isLean }: PageHandle): boolean {
  return lookingAround.has(controller) && !isLean;
}
