import brandsJson from "@farthing/db/seeds/brands.json" with { type: "json" };

/** The brands whose choice of retailers the demo's editorial file decides. */
export const demoBrands: readonly string[] = brandsJson.map((brand) => brand.slug);

/** Brands that take students, some of whom are under 18: they don't show what is for adults. */
export const brandsWithMinors: readonly string[] = brandsJson
  .filter((brand) => brand.memberTypes.includes("student"))
  .map((brand) => brand.slug);
