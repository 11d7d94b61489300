import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Returns the focus to a control that lost it by being disabled, unless the person has focused something else since.
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
