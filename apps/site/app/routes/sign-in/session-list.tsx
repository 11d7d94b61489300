import { dayAndMonth } from "../../ui/text/british-dates.ts";

export interface ShownSession {
  id: string;
  device: string;
  address: string | null;
  since: Date;
  isThis: boolean;
}

export function SessionList({ sessions, action, now }: { sessions: ShownSession[]; action: string; now: Date }) {
  return (
    <ul className="security-list" role="list">
      {sessions.map(({ id, device, address, since, isThis }) => (
        <li key={id}>
          <p>
            <b>{device}</b> {isThis && <span className="tag is-good">This browser</span>}
            <small className="soft">
              Since {dayAndMonth(since, now)}
              {address && `, from ${address}`}
            </small>
          </p>
          {!isThis && (
            <form method="post" action={action}>
              <input type="hidden" name="session" value={id} />
              <button type="submit" className="link-button" name="intent" value="end-session">
                Sign out<span className="visually-hidden"> {device}</span>
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}
