import { partnerModes } from "@farthing/core/partners/mode.ts";
import type { PartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import { Badge } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import type { PostedPartner } from "./change-partner.server.ts";

interface Props {
  path: string;
  partner: PartnerRecord;
  mayChange: boolean;
}

export function PartnerKeys({ path, partner: { keys, isHouse }, mayChange }: Props) {
  const inUse = (mode: string) => keys.filter((key) => key.mode === mode && key.revokedAt === null).length;
  return (
    <section className="panel" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p className="soft">
        Two of each mode can be in use: to change one, add the new one, let the partner switch, revoke the old one.
      </p>
      <ul className="plain-list">
        {keys.map(({ prefix, mode, createdAt, revokedAt }) => (
          <li key={prefix}>
            <form method="post" action={path} className="acts">
              <code>
                fpk_{mode === "test" ? "test_" : ""}
                {prefix}_…
              </code>
              <Badge tone={revokedAt ? "plain" : "good"}>{revokedAt ? "revoked" : mode}</Badge>
              <span className="soft">
                <Moment at={createdAt} isDay />
              </span>
              {mayChange && !revokedAt && (
                <>
                  <input type="hidden" name="prefix" value={prefix} />
                  <button className="button is-danger-quiet" name="act" value="revoke">
                    Revoke … <span className="away">{prefix}</span>
                  </button>
                </>
              )}
            </form>
          </li>
        ))}
        {keys.length === 0 && <li className="soft">No key{isHouse && ": the server mints the club’s own tokens"}.</li>}
      </ul>
      {mayChange && !isHouse && (
        <form method="post" action={path}>
          <input type="hidden" name="act" value="key" />
          <p className="acts">
            {partnerModes.map((mode) => (
              <button key={mode} className="button" name="mode" value={mode} disabled={inUse(mode) >= 2}>
                Add a {mode} key
              </button>
            ))}
          </p>
        </form>
      )}
    </section>
  );
}

export function PartnerOrigins({
  path,
  partner: { origins },
  mayChange,
  posted,
}: Props & { posted: PostedPartner | undefined }) {
  const own = posted?.act === "allow" ? posted : undefined;
  return (
    <section className="panel" aria-labelledby="origins">
      <h2 id="origins">Origins</h2>
      <p className="soft">Pages that may hold the widget.</p>
      <ul className="plain-list">
        {origins.map((origin) => (
          <li key={origin}>
            <form method="post" action={path} className="acts">
              <code>{origin}</code>
              {mayChange && (
                <>
                  <input type="hidden" name="origin" value={origin} />
                  <button className="button is-danger-quiet" name="act" value="withdraw">
                    Withdraw … <span className="away">{origin}</span>
                  </button>
                </>
              )}
            </form>
          </li>
        ))}
      </ul>
      {mayChange && (
        <form method="post" action={path}>
          <FaultSummary faults={own?.faults} />
          <TextField
            name="origin"
            label="Another origin"
            help="As browsers write it: https://shop.example"
            max={255}
            typed={own?.typed}
            faults={own?.faults}
          />
          <button className="button" name="act" value="allow">
            Allow
          </button>
        </form>
      )}
    </section>
  );
}

export function PartnerSettings({
  path,
  partner: { name, mintsPerMinute },
  seen,
  posted,
}: Pick<Props, "path" | "partner"> & { seen: string; posted: PostedPartner | undefined }) {
  const own = posted?.act === "change" ? posted : undefined;
  const stored = { name, per_minute: String(mintsPerMinute) };
  return (
    <form method="post" action={path}>
      <FaultSummary faults={own?.faults} />
      <VersionField name="seen" current={seen} typed={own?.typed} stale={own?.stale} />
      <TextField
        name="name"
        label="Name"
        help="Members read it where they pay."
        max={100}
        typed={{ ...stored, ...own?.typed }}
        faults={own?.faults}
      />
      <TextField
        name="per_minute"
        label="Tokens a minute"
        help="And as many other requests. More are answered with 429."
        max={7}
        typed={{ ...stored, ...own?.typed }}
        faults={own?.faults}
      />
      <button className="button" name="act" value="change">
        Save
      </button>
    </form>
  );
}

export function PartnerWebhooks({
  path,
  partner: { webhooks, isHouse },
  mayChange,
  posted,
  now,
}: Props & { posted: PostedPartner | undefined; now: Date }) {
  const own = posted?.act === "webhook" ? posted : undefined;
  if (isHouse) return null;
  return (
    <section className="panel" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <ul className="plain-list">
        {webhooks.map(({ id, url, mode, disabledAt, previousSecretUntil, givenUp }) => {
          const overlaps = previousSecretUntil !== null && previousSecretUntil > now;
          return (
            <li key={id}>
              <form method="post" action={path} className="acts">
                <a href={`${path}/webhooks/${id}`}>{url}</a>
                <Badge tone={disabledAt ? "plain" : "good"}>{disabledAt ? "disabled" : mode}</Badge>
                {givenUp > 0 && <Badge tone="bad">{givenUp >= 100 ? "100 or more" : givenUp} given up</Badge>}
                {overlaps && (
                  <span className="soft">
                    two secrets until <Moment at={previousSecretUntil} />
                  </span>
                )}
                {mayChange && !disabledAt && (
                  <>
                    <input type="hidden" name="webhook" value={id} />
                    <input type="hidden" name="url" value={url} />
                    {!overlaps && (
                      <button className="button" name="act" value="rotate">
                        New secret <span className="away">for {url}</span>
                      </button>
                    )}
                    <button className="button is-danger-quiet" name="act" value="disable">
                      Disable … <span className="away">{url}</span>
                    </button>
                  </>
                )}
              </form>
            </li>
          );
        })}
        {webhooks.length === 0 && <li className="soft">No webhook: the partner asks for its payments.</li>}
      </ul>
      {mayChange && (
        <form method="post" action={path}>
          <FaultSummary faults={own?.faults} />
          <TextField
            name="url"
            label="Another address"
            help="It gets every event from now on. https:// and a public host."
            max={2000}
            typed={own?.typed}
            faults={own?.faults}
          />
          <SelectField
            name="mode"
            label="Of payments"
            choices={partnerModes.map((value) => ({ value, label: value }))}
            typed={own?.typed}
            faults={own?.faults}
          />
          <button className="button" name="act" value="webhook">
            Add the webhook
          </button>
        </form>
      )}
    </section>
  );
}
