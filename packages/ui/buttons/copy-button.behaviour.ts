const BUTTON = "button[data-copies]";

/** The elements that already listen: a page and an island of it may both start them. */
const listening = new WeakSet<HTMLElement>();

/** Copies the text that a button of copy-button.tsx is for. Starting it again on the same element enables buttons that are new. */
export const copyButton = {
  start(root: HTMLElement): void {
    enableCopyButtons(root);
    if (listening.has(root)) return;
    listening.add(root);
    root.addEventListener("click", ({ target }) => {
      const button = target instanceof Element && target.closest<HTMLButtonElement>(BUTTON);
      if (button) void copy(button);
    });
  },
};

/** Enables the copy buttons in `markup`. Call it for markup that is put into the page after the script has started. */
export function enableCopyButtons(markup: ParentNode): void {
  for (const button of markup.querySelectorAll<HTMLButtonElement>(BUTTON)) button.disabled = false;
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset["copies"] ?? "");
  if (!source) return;
  const what = button.dataset["what"] ?? "code";
  const [are, them] = what.endsWith("s") ? ["are", "them"] : ["is", "it"];
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    button.textContent = "Copied";
    source.dataset["copied"] = "";
    say(button, `The ${what} ${are} copied.`, "visually-hidden");
  } catch {
    window.getSelection()?.selectAllChildren(source);
    button.textContent = `Copy ${what}`;
    say(
      button,
      `Your browser does not let us copy. The ${what} ${are} selected: copy ${them} from there.`,
      "copy-status",
    );
  }
}

/** Announces the outcome beside the button. */
function say(button: HTMLButtonElement, words: string, className: string): void {
  const status = button.nextElementSibling;
  if (!status) return;
  status.className = className;
  status.textContent = words;
}
