interface Entry {
  label: string;
  section: string;
  path: string;
  keys?: string;
}

const dialog = () => document.querySelector<HTMLDialogElement>("dialog.palette");

export function paletteEntries(): Entry[] {
  return JSON.parse(dialog()?.dataset["palette"] ?? "[]") as Entry[];
}

export function openPalette(): void {
  const opened = dialog();
  if (!opened || opened.open) return;
  opened.showModal();
  const input = opened.querySelector("input");
  if (!input) return;
  input.value = "";
  input.dispatchEvent(new Event("input"));
  input.focus();
}

/** The command palette: every page that the operator may see, and a search for a member, by the first letters of any word. */
export function startPalette(): void {
  const palette = dialog();
  const input = palette?.querySelector("input");
  const list = palette?.querySelector('[role="listbox"]');
  if (!palette || !input || !list) return;
  const entries = paletteEntries();
  const findsMembers = document.querySelector("#bar-search") !== null;
  let chosen = 0;
  for (const button of document.querySelectorAll("[data-opens-palette]")) button.addEventListener("click", openPalette);

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("a")];
  const choose = (at: number) => {
    const all = options();
    chosen = all.length === 0 ? 0 : (at + all.length) % all.length;
    all.forEach((option, index) => option.setAttribute("aria-selected", String(index === chosen)));
    const option = all[chosen];
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    const words = input.value.trim().toLowerCase();
    const found = entries.filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${words}`));
    const search: Entry[] =
      words !== "" && findsMembers
        ? [
            {
              label: `Find a member: ${input.value.trim()}`,
              section: "members",
              path: `/admin/members?q=${encodeURIComponent(input.value.trim())}`,
            },
          ]
        : [];
    list.replaceChildren(...[...found, ...search].map(optionOf));
    choose(0);
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) choose(chosen + by);
    else if (event.key === "Enter") options()[chosen]?.click();
    else return;
    event.preventDefault();
  });
  palette.addEventListener("click", (event) => {
    if (event.target === palette) palette.close();
  });
}

function optionOf({ label, path, keys }: Entry, index: number): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = path;
  link.id = `palette-${index}`;
  link.tabIndex = -1;
  link.setAttribute("role", "option");
  link.textContent = label;
  if (keys) {
    const hint = document.createElement("kbd");
    hint.textContent = keys;
    link.append(" ", hint);
  }
  return link;
}
