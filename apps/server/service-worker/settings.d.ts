/** What the server puts above the worker's script. */
declare const settings: {
  /** Another for each build. */
  version: string;
};
