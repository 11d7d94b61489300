/** After this time a form can be posted again: its answer may have been a file, which leaves the page as it is. */
const POSTED_MS = 10_000;

/** Asks before typed text is lost, and posts a form once however often its button is pressed. */
export function startForms(): void {
  let posted: HTMLFormElement | null = null;
  const forget = () => (posted = null);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
    if (event.submitter?.hasAttribute("formtarget")) return; // into a frame: this page stays
    if (posted === form) event.preventDefault();
    else setTimeout(forget, POSTED_MS);
    posted = form;
  });
  // The page is shown again: by Back, or because its person stayed.
  addEventListener("pageshow", forget);

  const ask = (event: BeforeUnloadEvent) => {
    const isUnsaved = [...document.forms].some((form) => form !== posted && form.method === "post" && isChanged(form));
    forget();
    if (isUnsaved) event.preventDefault();
  };
  // Not before something is typed: a page that listens is not kept for Back by every browser.
  document.addEventListener("input", () => addEventListener("beforeunload", ask), { once: true });
}

/** Says whether a form has what its page did not come with. What a sign-in asks for is no work. */
function isChanged(form: HTMLFormElement): boolean {
  if (form.querySelector("[type=password], [autocomplete=one-time-code]")) return false;
  return [...form.elements].some((field) => {
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (field instanceof HTMLSelectElement)
      return [...field.options].some((option) => option.selected !== option.defaultSelected) && !isFirstChosen(field);
    if (!(field instanceof HTMLInputElement) || field.type === "hidden") return false;
    if (field.type === "file") return field.files !== null && field.files.length > 0;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  });
}

/** A list without a chosen option shows its first. */
function isFirstChosen({ options, selectedIndex }: HTMLSelectElement): boolean {
  return selectedIndex === 0 && ![...options].some(({ defaultSelected }) => defaultSelected);
}
