/**
 * Says that the browser keeps no cookies here, and leads back to these words from links and forms: the next page would
 * not know its visitor, and could only send them back.
 */
export function askForCookies(): void {
  const words = document.createElement("p");
  words.className = "notice is-bad";
  words.role = "alert";
  words.tabIndex = -1;
  words.textContent = `Your browser keeps no cookies for ${location.hostname} here, so you can’t go on from this page. Allow them in your browser’s settings, then reload the page.`;
  document.querySelector(".portal-bar")?.after(words);
  const lead = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    words.focus();
  };
  document.addEventListener(
    "click",
    (event) => event.target instanceof Element && event.target.closest('a[href^="/"]') && lead(event),
    { capture: true },
  );
  document.addEventListener("submit", lead, { capture: true });
}
