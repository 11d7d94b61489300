import { act } from "@farthing/core/audit/act.server.ts";
import { findBrandChoices } from "@farthing/core/brands/brand-records.server.ts";
import { areas, ownOf } from "@farthing/core/brands/own-colours.ts";
import { saveBrand, type SavedBrand } from "@farthing/core/brands/save-brand.server.ts";
import { showAllRetailers } from "@farthing/core/brands/show-retailers.server.ts";
import { startOf, themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, LongField, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { IdentityFields, MemberTypeFields } from "./brand-fields.tsx";
import { colourField, faultsOf, readNewBrand, readPairs, retheme } from "./brand-form.ts";
import { ColourFields, Preview, Themes } from "./colour-fields.tsx";
import type { Route } from "./+types/new-brand-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const asked = new URL(request.url).searchParams.get("theme") ?? "";
  const theme = themeNames.includes(asked) ? asked : (themeNames[0] ?? "");
  const { pairs, light } = startOf(theme);
  return { theme, themes: themeNames, pairs, grounds: light, ...(await findBrandChoices(db)) };
}

interface Posted {
  typed: Typed;
  faults: Faults;
}

/** Makes a brand that answers at its hosts at once (B5): its row, hosts, member types and, if wanted, every retailer. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, originOf } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const refuse = (faults: Faults) => data<Posted>({ typed, faults }, { status: 422 });
  const other = typed["retheme"];
  if (other !== undefined) {
    const again = retheme(typed, startOf(typed["theme"] ?? "").pairs, startOf(other).pairs);
    return data<Posted>({ typed: again, faults: {} }, { status: 200 });
  }
  const { memberTypes } = await findBrandChoices(db);
  const form = readNewBrand(typed, { types: memberTypes.map(({ slug }) => slug) });
  if (!form.ok) return refuse(form.faults);
  const { statement } = form;
  const { slug } = statement;
  const pairs = readPairs(typed);
  const own = pairs ? ownOf(pairs, startOf(statement.theme ?? "")) : {};
  const actor = actorOf(context);
  const made = await act(
    db,
    actor,
    {
      permission: "brands.change",
      action: "brand.create",
      subject: { type: "brand", id: slug },
      changed: ({ outcome }: SavedBrand) => outcome === "created",
    },
    async (joined) => {
      const saved = await saveBrand(joined, { ...statement, colours: own }, "create");
      if (saved.outcome !== "created") return saved;
      if (typed["retailers"] === "on") await showAllRetailers(joined, { brandId: saved.id });
      await keepHousePartner(joined, { originOf });
      return saved;
    },
  );
  if (made.outcome === "refused") return refuse(faultsOf(made.problems));
  if (made.outcome !== "created") return refuse({ slug: "Another brand has this short name. Choose another." });
  if (typed["retailers"] === "on") await indexCatalogue(db, { now: actor.now });
  return redirect(`/admin/brands/${slug}?made`, 303);
}

export default function NewBrandPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { theme, themes, pairs, grounds, memberTypes } = loaderData;
  const { typed = {}, faults } = posted ?? {};
  const shared = { typed, faults };
  const path = "/admin/brands/new";
  const shown = new URLSearchParams({ theme });
  for (const name of ["name", "strapline", "audience"]) if (typed[name]) shown.set(name, typed[name]);
  for (const area of areas)
    for (const part of ["ground", "text"] as const) {
      const field = colourField(area, part);
      shown.set(field, typed[field] ?? pairs[area][part]);
    }
  return (
    <>
      <PageHead
        title="New brand"
        crumbs={[{ label: "Brands", href: "/admin/brands" }]}
        intro="It answers at its hosts as soon as it is made. A theme gives it letters, shapes and colours to start from; what you type stays when you choose another."
      />
      <FaultSummary faults={faults} />
      <Themes themes={themes} current={theme} path={path} save="Make the brand" />
      <div className="look">
        <form method="post" action={`${path}?theme=${theme}`} id="look-form" className="panel">
          <h2>The brand</h2>
          <input type="hidden" name="theme" value={theme} />
          <IdentityFields {...shared} />
          <TextField
            name="slug"
            label="Short name"
            help="For addresses and commands; it stays. Lower-case letters, digits and dashes: village-club"
            max={40}
            {...shared}
          />
          <LongField
            name="hosts"
            label="Hosts"
            rows={2}
            help="One a line, the main one first: club.example. Each needs its name and certificate at your proxy."
            max={2000}
            {...shared}
          />
          <MemberTypeFields {...shared} types={memberTypes} />
          <label className="tick">
            <input
              type="checkbox"
              name="retailers"
              value="on"
              defaultChecked={posted ? typed["retailers"] === "on" : true}
            />{" "}
            Show every retailer of the catalogue
          </label>
          <h2>Colours</h2>
          <ColourFields pairs={pairs} start={pairs} grounds={grounds} typed={posted?.typed} faults={faults} />
          <button className="button is-main">Make the brand</button>
        </form>
        <Preview address={`/admin/brands/preview?${shown.toString()}`} name="the new brand" />
      </div>
    </>
  );
}
