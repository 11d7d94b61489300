/** What the server prepends to the worker's script. */
declare const settings: {
  /** Changes with each build. */
  version: string;
};
