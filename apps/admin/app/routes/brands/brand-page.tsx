import { actionInWords } from "@farthing/core/audit/actions.ts";
import { findHistory } from "@farthing/core/audit/queries.server.ts";
import { findBrandChoices, findBrandRecord, type BrandRecord } from "@farthing/core/brands/brand-records.server.ts";
import { areas, areaWords } from "@farthing/core/brands/own-colours.ts";
import { startOf } from "@farthing/core/brands/theme-colours.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { StaleSave } from "../../kit/stale-save.tsx";
import { Changes } from "../audit/changes.tsx";
import { FeatureFields, IdentityFields, JoiningFields, MemberTypeFields, PageFields } from "./brand-fields.tsx";
import { typedOf } from "./brand-form.ts";
import { changeBrandAs, unknownBrand } from "./change-brand.server.ts";
import { Sample } from "./colour-fields.tsx";
import type { Route } from "./+types/brand-page";

export async function loader({ context, params: { brand: slug }, request }: Route.LoaderArgs) {
  const { db, originOf } = context.get(servicesContext);
  const [record, choices, history] = await Promise.all([
    findBrandRecord(db, { slug }),
    findBrandChoices(db),
    findHistory(db, { type: "brand", id: slug }),
  ]);
  if (!record) throw unknownBrand();
  const { role } = context.get(operatorContext);
  const query = new URL(request.url).searchParams;
  return {
    record,
    choices,
    history: history.slice(0, 5),
    pairs: { ...startOf(record.brand.theme).pairs, ...record.own },
    site: record.brand.mainHost && originOf(record.brand.mainHost),
    mayChange: may(role, "brands.change"),
    mayChangeMoney: may(role, "money.change"),
    maySeeLog: may(role, "audit.see"),
    done: query.has("made") ? "made" : query.has("saved") ? "saved" : null,
  };
}

export function action({ context, params, request }: Route.ActionArgs) {
  return changeBrandAs(context, { slug: params.brand, request });
}

export default function BrandPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { record, choices, history, pairs, site, mayChange, mayChangeMoney, maySeeLog, done } = loaderData;
  const { brand } = record;
  const path = `/admin/brands/${brand.slug}`;
  const missing = record.retailersOfCatalogue - record.retailers;
  const isSave = posted?.act === "save";
  const shown = { typed: isSave ? posted.typed : typedOf(record), faults: isSave ? posted.faults : undefined };
  return (
    <>
      <PageHead
        title={brand.name}
        crumbs={[{ label: "Brands", href: "/admin/brands" }]}
        intro={<span className="id">{brand.slug}</span>}
      >
        {site && (
          <a href={site} rel="noopener">
            Open the site
          </a>
        )}
        {maySeeLog && <a href={`/admin/audit/brand/${brand.slug}`}>History in the log</a>}
      </PageHead>
      {!posted && done === "made" && (
        <Notice tone="good">
          {brand.name} is live{site && <> at {site}</>}. Read its legal pages: they are samples, not legal advice.
        </Notice>
      )}
      {!posted && done === "saved" && <Notice tone="good">Saved. Every page of the site shows it.</Notice>}
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.isAsked && posted.act === "show-retailers" && (
        <Confirm
          title={`Show every retailer at ${brand.name}?`}
          what={
            <p>
              {missing === 1 ? "1 more retailer is" : `${thousands(missing)} more retailers are`} shown, with their
              offers, at once. To hide one again, untick the brand on the retailer’s page.
            </p>
          }
          button="Show every retailer"
          keep={[["act", "show-retailers"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.isAsked && posted.act === "remove-host" && (
        <Confirm
          title={`Remove ${posted.typed["host"] ?? ""}?`}
          what={<p>The brand no longer answers there, and links of members that name this host lead nowhere.</p>}
          button="Remove"
          keep={[
            ["act", "remove-host"],
            ["host", posted.typed["host"] ?? ""],
          ]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      <div className="split">
        <form method="post" action={path} className="panel">
          <h2>The brand</h2>
          {isSave && <FaultSummary faults={posted.faults} />}
          <input type="hidden" name="act" value="save" />
          <VersionField current={record.version} typed={shown.typed} stale={posted?.stale} />
          <fieldset className="plain" disabled={!mayChange}>
            <IdentityFields {...shown} />
            <MemberTypeFields {...shown} types={choices.memberTypes} />
            <JoiningFields {...shown} mayChangeMoney={mayChangeMoney} />
            <PageFields {...shown} categories={choices.categories} />
            <FeatureFields {...shown} {...movesOf(record, choices)} />
          </fieldset>
          {mayChange && <button className="button is-main">Save</button>}
        </form>
        <div className="stack">
          <section className="panel" aria-labelledby="look">
            <h2 id="look">Look</h2>
            <Facts facts={[{ label: "Theme", value: brand.theme }]} />
            <ul className="samples">
              {areas.map((area) => (
                <li key={area}>
                  <Sample {...pairs[area]} /> {areaWords[area].name} {record.own[area] && <Badge>its own</Badge>}
                </li>
              ))}
            </ul>
            <p>
              <a href={`${path}/look`}>Theme, colours and preview</a>
            </p>
          </section>
          <Hosts path={path} record={record} mayChange={mayChange} posted={posted} />
          <Texts path={path} record={record} />
          <Retailers path={path} record={record} mayChange={mayChange} />
          <section className="panel" aria-labelledby="history">
            <h2 id="history">Last changes</h2>
            {history.length === 0 && <p className="soft">Nothing was changed from the admin yet.</p>}
            <ol className="timeline">
              {history.map((entry) => (
                <li key={entry.seq}>
                  <p>
                    <Moment at={entry.at} /> {actionInWords(entry.action)} by {entry.actor}
                  </p>
                  <Changes before={entry.before} after={entry.after} />
                </li>
              ))}
            </ol>
          </section>
        </div>
      </div>
    </>
  );
}

/** What a brand's carer migration can be made of: the statuses of its own member types, and those that it names; the types of other brands. */
function movesOf({ brand, memberTypes, carerMove }: BrandRecord, { statuses, places }: BrandChoices) {
  return {
    statuses: statuses.filter(({ type, status }) => memberTypes.includes(type) || carerMove?.statuses.includes(status)),
    places: places.filter((place) => place.brand !== brand.slug),
  };
}

type BrandChoices = Route.ComponentProps["loaderData"]["choices"];
type Posted = Route.ComponentProps["actionData"];

function Hosts({
  path,
  record: { hosts },
  mayChange,
  posted,
}: {
  path: string;
  record: BrandRecord;
  mayChange: boolean;
  posted: Posted;
}) {
  const faults = posted?.act === "add-host" ? posted.faults : undefined;
  return (
    <section className="panel" aria-labelledby="hosts-title">
      <h2 id="hosts-title">Hosts</h2>
      <ul className="plain-list">
        {hosts.map(({ host, isMain }) => (
          <li key={host}>
            <form method="post" action={path} className="acts">
              <input type="hidden" name="host" value={host} />
              <span className="id">{host}</span>
              {isMain && <Badge tone="good">main</Badge>}
              {mayChange && !isMain && (
                <button className="button" name="act" value="main-host">
                  Make main
                </button>
              )}
              {mayChange && hosts.length > 1 && (
                <button className="button is-danger-quiet" name="act" value="remove-host">
                  Remove …
                </button>
              )}
            </form>
          </li>
        ))}
      </ul>
      <p className="soft">
        E-mails and canonical links name the main host. Each host needs its name and certificate at your proxy.
      </p>
      {mayChange && (
        <form method="post" action={path}>
          <TextField
            name="host"
            label="Another host"
            help="The name alone: club.example"
            typed={faults && posted?.typed}
            faults={faults}
          />
          <button className="button" name="act" value="add-host">
            Add
          </button>
        </form>
      )}
    </section>
  );
}

const thousands = (number: number) => number.toLocaleString("en-GB");

function Retailers({
  path,
  record: { brand, retailers, retailersOfCatalogue },
  mayChange,
}: {
  path: string;
  record: BrandRecord;
  mayChange: boolean;
}) {
  const missing = retailersOfCatalogue - retailers;
  return (
    <section className="panel" aria-labelledby="retailers">
      <h2 id="retailers">Retailers</h2>
      <p>
        It shows <a href={`/admin/retailers?brand=${brand.slug}`}>{thousands(retailers)}</a> of the catalogue’s{" "}
        {thousands(retailersOfCatalogue)} retailers.
      </p>
      {missing > 0 && (
        <p>
          <a href={`/admin/retailers?hidden=${brand.slug}`}>
            {missing === 1 ? "The one that it does not show" : `The ${thousands(missing)} that it does not show`}
          </a>
        </p>
      )}
      {mayChange && missing > 0 && (
        <form method="post" action={path}>
          <button className="button" name="act" value="show-retailers">
            Show every retailer …
          </button>
        </form>
      )}
    </section>
  );
}

function Texts({ path, record }: { path: string; record: BrandRecord }) {
  return (
    <section className="panel" aria-labelledby="texts">
      <h2 id="texts">Texts</h2>
      <ul className="plain-list">
        {record.legalPages.map(({ slug, title, isOwn }) => (
          <li key={slug}>
            <a href={`${path}/legal/${slug}`}>{title}</a>{" "}
            {isOwn ? <Badge tone="good">its own</Badge> : <Badge>shared sample</Badge>}
          </li>
        ))}
      </ul>
      <p className="acts">
        <a href={`${path}/legal/new`}>Another page</a>
        <a href={`/admin/questions?brand=${record.brand.slug}`}>Questions ({record.questions} of its own)</a>
      </p>
    </section>
  );
}
