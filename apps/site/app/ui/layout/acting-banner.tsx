/**
 * Stands at the top of every page that an operator sees as a member with their consent (A3): who acts as whom, for how
 * long still, and the way out. It can't be closed.
 */
export function ActingBanner({
  operator,
  member,
  minutesLeft,
}: {
  operator: string;
  member: string;
  minutesLeft: number;
}) {
  return (
    <aside className="acting-banner" aria-label="Acting as a member">
      <p>
        <b>{operator}</b> is acting as <b>{member}</b>: {minutesLeft} {minutesLeft === 1 ? "minute" : "minutes"} left.
        Everything is logged, and the member sees it.
      </p>
      <form action="/acting/stop" method="post">
        <button type="submit">Stop</button>
      </form>
    </aside>
  );
}
