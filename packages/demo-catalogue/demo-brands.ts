import brandsJson from "@farthing/db/seeds/brands.json" with { type: "json" };

/** The brands whose choice of retailers the demo's editorial file sets. */
export const demoBrands: readonly string[] = brandsJson.map((brand) => brand.slug);

/** Brands whose members include students under 18: they don't show retailers and offers for adults. */
export const brandsWithMinors: readonly string[] = brandsJson
  .filter((brand) => brand.memberTypes.includes("student"))
  .map((brand) => brand.slug);
