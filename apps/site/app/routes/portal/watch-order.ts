const SOON_MS = 1_000;
const GENTLE_MS = 3_000;
/** Asked so often in a row, it asks less often. */
const MANY = 40;
const RARE_MS = 15_000;
/** After so many looks, in six minutes, the server has looked up an undecided payment itself. */
const LOOKED_UP = MANY + 22;
/** After this time it asks again: on a dead line a browser waits for minutes. */
const ANSWER_MS = 10_000;

export interface OrderWatch {
  /** Looks every few seconds, as long as the page is seen. */
  gently(): void;
  /** Looks every second: the buyer has just paid. `onNoNews` is called after half a minute without news. */
  closely(onNoNews: () => void): void;
}

/** Looks for news of an order, and loads its page again when there are any. A page with codes only says so. */
export function watchOrder(order: HTMLElement): OrderWatch {
  const { order: path = "", mark = "", showsCodes } = order.dataset;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  let hasPaid = false;

  /**
   * After a payment, "failed" is the news of an earlier card until the server has looked: the payment's own notice can be minutes
   * late. A payment that the bank is processing is news first, and its page starts without `hasPaid`.
   */
  const isOld = (now: string) => hasPaid && looks < LOOKED_UP && now.startsWith("failed ");

  async function look(next: () => number): Promise<void> {
    clearTimeout(timer);
    if (!document.hidden) {
      looks += 1;
      const now = await markOf(path);
      if (now === GONE) {
        order.querySelector(".portal-pay-status")?.replaceChildren();
        return say("This order can’t be seen from here any more. Don’t pay again: look for our e-mail.");
      }
      if (now !== null && now !== mark && !isOld(now)) return showNews();
    }
    timer = setTimeout(() => void look(next), next());
  }

  function showNews(): void {
    // The address has no #line of an earlier post, and the page is not posted again.
    if (showsCodes === undefined) return location.replace(path);
    say("Another card has changed. Look again when you have saved this code.");
  }

  function say(words: string): void {
    const news = order.querySelector(".portal-news");
    if (news) news.textContent = words;
  }

  return {
    gently: () => void look(() => (looks < MANY ? GENTLE_MS : RARE_MS)),
    closely(onNoNews) {
      looks = 0;
      hasPaid = true;
      void look(() => {
        if (looks === MANY) onNoNews();
        return looks < MANY ? SOON_MS : RARE_MS;
      });
    },
  };
}

/** The visit that the order is seen in is over, or was replaced by another tab's. */
const GONE = Symbol("gone");

/** Returns the order's mark; GONE where the order can't be seen from here any more; null where no answer came. */
async function markOf(path: string): Promise<string | typeof GONE | null> {
  try {
    const answer = await fetch(`${path}/payment`, {
      headers: { Accept: "application/json" },
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.status === 401 || answer.status === 404) return GONE;
    if (!answer.ok) return null;
    return ((await answer.json()) as { mark: string }).mark;
  } catch {
    return null;
  }
}
