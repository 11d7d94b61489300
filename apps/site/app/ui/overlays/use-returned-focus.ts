import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Gives a control the focus back after it was disabled: browsers take it away then. Whoever has moved on meanwhile is left where they are.
 */
export function useReturnedFocus(control: RefObject<HTMLElement | null>, isDisabled: boolean): void {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (isDisabled) hadFocus.current = document.activeElement === control.current;
  }, [control, isDisabled]);
  useEffect(() => {
    if (isDisabled || !hadFocus.current) return;
    hadFocus.current = false;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) control.current?.focus();
  }, [control, isDisabled]);
}
