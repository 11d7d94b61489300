const ANSWERS: Record<NotificationPermission, string> = {
  granted: "Done: messages can be shown on this device.",
  denied: "Your browser shows no messages of this site. You can change that in its settings for this site.",
  default: "Your browser has not been answered. You can let it ask again.",
};

/**
 * Offers to ask the browser for its permission to show messages (T6), on the page of the choice, where messages are agreed to and the browser was not asked yet.
 * Browsers ask only after a click, and a page that asks by itself is often refused for good.
 */
export function offerToAsk(): void {
  const question = document.querySelector<HTMLElement>(".messages-question");
  const button = question?.querySelector("button");
  const status = question?.querySelector<HTMLElement>("[role=status]");
  if (!question || !button || !status || !("Notification" in window) || Notification.permission !== "default") return;
  question.hidden = false;
  const ask = async () => {
    const answer = await Notification.requestPermission();
    status.textContent = ANSWERS[answer];
    if (answer === "default") return;
    status.focus();
    button.remove();
  };
  button.addEventListener("click", () => void ask());
}
