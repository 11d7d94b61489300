import { act } from "@farthing/core/audit/act.server.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { addBrandHost, removeBrandHost } from "@farthing/core/brands/brand-hosts.server.ts";
import { findBrandChoices, findBrandRecord } from "@farthing/core/brands/brand-records.server.ts";
import { saveBrand, type SavedBrand } from "@farthing/core/brands/save-brand.server.ts";
import { brandHost, type BrandStatement } from "@farthing/core/brands/schema.ts";
import { showAllRetailers } from "@farthing/core/brands/show-retailers.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import type { Tone } from "../../kit/facts.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { faultsOf, labelOf, readBrandForm, typedOf } from "./brand-form.ts";

/** What came of a posted form of a brand's record. */
export interface PostedBrand {
  act: string;
  typed: Typed;
  tone: Tone;
  says: string | null;
  faults?: Faults;
  isAsked?: boolean;
  stale?: StaleAnswer;
}

const verbs = ["save", "add-host", "main-host", "remove-host", "show-retailers"] as const;

/** Does what an operator posted about a brand, with an entry in the log. */
export async function changeBrandAs(
  context: Readonly<RouterContextProvider>,
  { slug, request }: { slug: string; request: Request },
) {
  const { db, originOf } = context.get(servicesContext);
  const actor = actorOf(context);
  const record = await findBrandRecord(db, { slug });
  if (!record) throw unknownBrand();
  const { id: brandId } = record.brand;
  const path = `/admin/brands/${slug}`;
  const typed = typedIn(await request.formData());
  const verb = verbs.find((name) => name === typed["act"]);
  const answer = (posted: Partial<PostedBrand>, status = 422) =>
    data<PostedBrand>({ act: verb ?? "", typed, tone: "bad", says: null, ...posted }, { status });
  const what = (name: VerbOf<"brand">, why: string | null = null) =>
    ({
      permission: "brands.change",
      action: `brand.${name}`,
      subject: { type: "brand", id: slug },
      why,
    }) as const;

  switch (verb) {
    case "save":
      break;
    case "add-host":
    case "main-host": {
      const read = brandHost.safeParse(typed["host"] ?? "");
      if (!read.success)
        return answer({ faults: { host: `The host ${read.error.issues[0]?.message ?? "is wrong."}` } });
      const host = read.data;
      const isKnown = record.hosts.some((each) => each.host === host);
      if (verb === "main-host" && !isKnown) return answer({ says: "Nothing was done: it is not a host here." }, 409);
      if (verb === "add-host" && isKnown) return answer({ says: `${host} is a host here already.` }, 409);
      const { takenBy } = await act(
        db,
        actor,
        { ...what(verb), changed: (result: { takenBy: string | null }) => result.takenBy === null },
        async (joined) => {
          const added = await addBrandHost(joined, { brandId, host, isMain: verb === "main-host" });
          if (added.takenBy === null) await keepHousePartner(joined, { originOf });
          return added;
        },
      );
      if (takenBy !== null)
        return answer({ faults: { host: `${host} belongs to the brand ${takenBy}. Remove it there first.` } });
      return redirect(`${path}?saved`, 303);
    }
    case "remove-host": {
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true }, 200);
      const why = checkForm(typed, z.object({ why: whySchema }));
      if (!why.ok) return answer({ isAsked: true, faults: why.faults });
      const outcome = await act(
        db,
        actor,
        { ...what(verb, why.value.why), changed: (result: string) => result === "removed" },
        async (joined) => {
          const result = await removeBrandHost(joined, { brandId, host: typed["host"] ?? "" });
          if (result === "removed") await keepHousePartner(joined, { originOf });
          return result;
        },
      );
      if (outcome === "removed") return redirect(`${path}?saved`, 303);
      const says =
        outcome === "last"
          ? "Nothing was done: it is the last host. Add another first."
          : "Nothing was done: it is not a host here.";
      return answer({ says }, 409);
    }
    case "show-retailers": {
      const none = () => answer({ says: "Nothing was done: it shows every retailer already." }, 409);
      if (record.retailers === record.retailersOfCatalogue) return none();
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true }, 200);
      const why = checkForm(typed, z.object({ why: whySchema }));
      if (!why.ok) return answer({ isAsked: true, faults: why.faults });
      const added = await act(
        db,
        actor,
        { ...what(verb, why.value.why), changed: (count: number) => count > 0 },
        (joined) => showAllRetailers(joined, { brandId }),
      );
      if (added === 0) return none();
      await indexCatalogue(db, { now: actor.now });
      return redirect(`${path}?saved`, 303);
    }
    case undefined:
      return answer({ says: "Choose what to do." });
  }

  const { memberTypes } = await findBrandChoices(db);
  // The order of registration stays; types that are new come after it.
  const types = [...record.memberTypes, ...memberTypes.map((type) => type.slug)];
  const form = readBrandForm(typed, { slug, types: [...new Set(types)] });
  if (!form.ok) return answer({ faults: form.faults });
  const statement = withoutMoney(form.statement, may(context.get(operatorContext).role, "money.change"));
  const saved = await saveBrandAs(context, { statement, version: versionField.parse(typed["version"]) });
  if (saved.outcome === "refused") return answer({ faults: faultsOf(saved.problems) });
  if (saved.outcome === "unchanged") return answer({ tone: "plain", says: "Nothing differs from what is saved." }, 200);
  if (saved.outcome !== "stale") return redirect(`${path}?saved`, 303);
  const [current, last] = await Promise.all([
    findBrandRecord(db, { slug }),
    findLastChange(db, { type: "brand", id: slug }),
  ]);
  if (!current) throw unknownBrand();
  const theirs = typedOf(current);
  const names = new Set([...Object.keys(theirs), ...Object.keys(typed)]);
  const fields = [...names]
    .filter(
      (name) =>
        !["act", "version"].includes(name) && (theirs[name] ?? "") !== (typed[name] ?? "").replaceAll("\r\n", "\n"),
    )
    .map((name) => ({ name, label: labelOf(name), theirs: theirs[name] ?? "–", yours: typed[name] ?? "–" }));
  return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, version: current.version, fields } }, 409);
}

/** What members can withdraw is money's: a role without it leaves it as it is. */
function withoutMoney(statement: BrandStatement, mayChangeMoney: boolean): BrandStatement {
  if (mayChangeMoney) return statement;
  const { payoutThresholdPence: _kept, ...rest } = statement;
  return rest;
}

/** Saves an existing brand, if it is still what the form showed. */
export async function saveBrandAs(
  context: Readonly<RouterContextProvider>,
  { statement, version }: { statement: BrandStatement; version: number },
): Promise<SavedBrand> {
  const { db } = context.get(servicesContext);
  return await act(
    db,
    actorOf(context),
    {
      permission: "brands.change",
      action: "brand.change",
      subject: { type: "brand", id: statement.slug },
      changed: ({ outcome }: SavedBrand) => outcome === "changed",
    },
    (joined) => saveBrand(joined, statement, { version }),
  );
}

export function unknownBrand() {
  return refused(404, { title: "No such brand", text: "Go back to the list of brands." });
}
