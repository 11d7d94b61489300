/** Returns the element that `Spinner` renders, for script without React. */
export function createSpinner(label?: string): HTMLElement {
  const spinner = document.createElement("span");
  spinner.className = "spinner";
  if (label === undefined) {
    spinner.ariaHidden = "true";
  } else {
    spinner.role = "status";
    spinner.ariaLabel = label;
  }
  return spinner;
}
