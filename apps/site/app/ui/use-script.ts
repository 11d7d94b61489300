import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False in the page as the server sends it, true once its script has taken over: for roles and controls that are nothing without it. */
export function useScript(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
