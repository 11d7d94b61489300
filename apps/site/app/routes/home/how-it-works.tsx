/** The club in three steps. The footer's "How cashback works" links here. */
export function HowItWorks() {
  return (
    <section id="how-it-works" className="how-it-works" aria-labelledby="how-title">
      <h2 id="how-title" className="display section-title">
        How cashback works
      </h2>
      <ol role="list">
        <li>
          <b>Find an offer and follow our link</b>
          <p>We write down the rate you were shown. That is the rate you are paid, whatever happens to it later.</p>
        </li>
        <li>
          <b>Buy as you always do</b>
          <p>The shop tells us about the purchase, and it shows in your account, usually within days.</p>
        </li>
        <li>
          <b>The money becomes yours</b>
          <p>
            Once the shop knows you are keeping what you bought, your cashback is confirmed. Until then it is marked as
            pending.
          </p>
        </li>
      </ol>
    </section>
  );
}
