/** What the server prepends to the worker's script. */
declare const settings: {
  /** Changes with each build. */
  version: string;
  /** Address of the engagement provider's script; null: none is wanted. */
  engagement: string | null;
  /** The files of the page's script: on every page, on pages with islands, and for each island by name. */
  scripts: { entry: string[]; hydration: string[]; islands: Record<string, string[]> };
};
