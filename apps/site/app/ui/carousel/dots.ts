/** Shows one dot for each place in `foot`, with the present one marked. The dots that stay keep the focus. */
export function showDots(foot: HTMLElement, { place, places }: { place: number; places: number }): void {
  const dots = foot.querySelector(".carousel-dots") ?? foot.appendChild(newGroup());
  // A line of words, from a width with more places.
  for (const other of [...foot.children]) if (other !== dots) other.remove();
  while (dots.children.length > places) dots.lastElementChild?.remove();
  while (dots.children.length < places) dots.append(newDot());
  for (const [index, dot] of [...dots.children].entries()) {
    dot.ariaLabel = `Part ${index + 1} of ${places}`;
    dot.ariaCurrent = index === place ? "true" : null;
  }
}

function newGroup(): HTMLElement {
  const group = document.createElement("div");
  group.className = "carousel-dots";
  group.role = "group";
  group.ariaLabel = "Choose what to show";
  return group;
}

function newDot(): HTMLElement {
  const dot = document.createElement("button");
  dot.type = "button";
  dot.className = "carousel-dot";
  return dot;
}
