/** Counts the chosen rows of a list, chooses all at once, and a range with Shift. */
export function startBulk(): void {
  const table = document.querySelector<HTMLTableElement>("[data-rows]");
  const bar = document.querySelector<HTMLElement>("[data-bulk]");
  if (!table || !bar) return;
  const boxes = [...table.querySelectorAll<HTMLInputElement>('input[name="ids"]')];
  const all = table.querySelector<HTMLInputElement>("[data-chooses-all]");
  const count = bar.querySelector("[data-bulk-count]");
  let last = -1;

  const show = () => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    if (count) count.textContent = chosen === 0 ? "Choose rows first." : `With ${chosen} chosen:`;
    for (const button of bar.querySelectorAll("button")) button.disabled = chosen === 0;
    if (!all) return;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  all?.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  table.addEventListener("click", (event) => {
    const at = boxes.indexOf(event.target as HTMLInputElement);
    if (at === -1) return;
    if (event.shiftKey && last !== -1)
      for (const box of boxes.slice(Math.min(at, last), Math.max(at, last) + 1))
        box.checked = boxes[at]?.checked ?? false;
    last = at;
    show();
  });
  // The browser may have kept the choice of the page before a reload.
  show();
}
