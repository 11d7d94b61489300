import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { findBrandRecord } from "@farthing/core/brands/brand-records.server.ts";
import { areas, areaWords, ownOf } from "@farthing/core/brands/own-colours.ts";
import { startOf, themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { colourField, faultsOf, readPairs, retheme } from "./brand-form.ts";
import { saveBrandAs, unknownBrand } from "./change-brand.server.ts";
import { ColourFields, Preview, Themes } from "./colour-fields.tsx";
import type { Route } from "./+types/look-page";

export async function loader({ context, params: { brand: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const record = await findBrandRecord(db, { slug });
  if (!record) throw unknownBrand();
  const { brand, version, own } = record;
  const asked = new URL(request.url).searchParams.get("theme") ?? "";
  const theme = themeNames.includes(asked) ? asked : brand.theme;
  const { pairs, light } = startOf(theme);
  return {
    ...{ slug, name: brand.name, saved: brand.theme, theme, themes: themeNames, version },
    // Another theme is tried with its own colours.
    pairs: theme === brand.theme ? { ...pairs, ...own } : pairs,
    start: pairs,
    grounds: light,
    mayChange: may(context.get(operatorContext).role, "brands.change"),
  };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  stale?: StaleAnswer;
}

export async function action({ context, params: { brand: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const theme = typed["theme"] ?? "";
  const other = typed["retheme"];
  if (other !== undefined) {
    const record = await findBrandRecord(db, { slug });
    if (!record) throw unknownBrand();
    const pairsOf = (each: string) => ({
      ...startOf(each).pairs,
      ...(each === record.brand.theme ? record.own : {}),
    });
    return data<Posted>({ typed: retheme(typed, pairsOf(theme), pairsOf(other)) }, { status: 200 });
  }
  const faults: Record<string, string> = {};
  const pairs = readPairs(typed, faults);
  if (!pairs) return data<Posted>({ typed, faults }, { status: 422 });
  const statement = { slug, theme, colours: ownOf(pairs, startOf(theme)) };
  if (!(await findBrandRecord(db, { slug }))) throw unknownBrand();
  const saved = await saveBrandAs(context, { statement, version: versionField.parse(typed["version"]) });
  if (saved.outcome === "refused") return data<Posted>({ typed, faults: faultsOf(saved.problems) }, { status: 422 });
  if (saved.outcome !== "stale") return redirect(`/admin/brands/${slug}?saved`, 303);
  const [current, last] = await Promise.all([
    findBrandRecord(db, { slug }),
    findLastChange(db, { type: "brand", id: slug }),
  ]);
  if (!current) throw unknownBrand();
  const theirs = { ...startOf(current.brand.theme).pairs, ...current.own };
  const fields = [
    { name: "theme", label: "Theme", theirs: current.brand.theme, yours: theme },
    ...areas.map((area) => ({
      name: area,
      label: areaWords[area].name,
      theirs: `${theirs[area].text} on ${theirs[area].ground}`,
      yours: `${pairs[area].text} on ${pairs[area].ground}`,
    })),
  ];
  const stale = { by: last?.actor ?? null, at: last?.at ?? null, version: current.version, fields };
  return data<Posted>({ typed, stale }, { status: 409 });
}

export default function LookPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { slug, name, saved, theme, themes, version, pairs, start, grounds, mayChange } = loaderData;
  const path = `/admin/brands/${slug}/look`;
  const query = new URLSearchParams({ brand: slug, theme });
  for (const area of areas)
    for (const part of ["ground", "text"] as const) {
      const field = colourField(area, part);
      query.set(field, posted?.typed[field] ?? pairs[area][part]);
    }
  return (
    <>
      <PageHead
        title={`Look of ${name}`}
        crumbs={[
          { label: "Brands", href: "/admin/brands" },
          { label: name, href: `/admin/brands/${slug}` },
        ]}
        intro="A theme gives letters, shapes and drawings. Its colours are a start; the dark scheme follows from them."
      />
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={`${path}?theme=${theme}`} />}
      <FaultSummary faults={posted?.faults} />
      <Themes themes={themes} current={theme} path={path} save="Save the look" />
      {theme !== saved && (
        <p className="soft">
          The brand has the theme {saved}. Saving gives it {theme}.
        </p>
      )}
      <div className="look">
        <form method="post" action={`${path}?theme=${theme}`} id="look-form" className="panel">
          <h2>Colours</h2>
          <VersionField current={version} typed={posted?.typed} stale={posted?.stale} />
          <input type="hidden" name="theme" value={theme} />
          <input type="hidden" name="brand" value={slug} />
          <ColourFields {...{ pairs, start, grounds }} typed={posted?.typed} faults={posted?.faults} />
          {mayChange && <button className="button is-main">Save the look</button>}
        </form>
        <Preview address={`/admin/brands/preview?${query.toString()}`} name={name} />
      </div>
    </>
  );
}
