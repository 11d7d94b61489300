import type { Brand } from "@farthing/core/brands/brand.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { offerMemberTypes } from "@farthing/core/registration/registration.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { additionalFieldsMarkup } from "@farthing/site/app/ui/forms/additional-fields-markup.server.tsx";
import { beforeAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { additionalFieldsApi } from "./additional-fields.ts";
import { jobCategoriesApi } from "./job-categories.ts";
import { jobRolesApi } from "./job-roles.ts";

const { db } = await testDatabase();
let app: ReturnType<typeof testApp>["app"];

beforeAll(async () => {
  await seedMemberTypes(db);
  const schools = await insertBrand(db);
  const police = await insertBrand(db);
  await offerMemberTypes(db, schools.id, ["education", "organisation"]);
  await offerMemberTypes(db, police.id, ["police"]);
  const brandAt: Record<string, Brand> = {
    "schools.test": { id: schools.id, slug: "schools" } as Brand,
    "police.test": { id: police.id, slug: "police" } as Brand,
  };
  const config = { publicScheme: "http", trustProxy: false, metricsToken: null } as const;
  const services = { db, brands: async (host: string) => brandAt[host] ?? null, config };
  const site = {
    additionalFieldsMarkup: async (fields: readonly AdditionalField[]) => additionalFieldsMarkup({ fields }),
  };
  app = testApp([], async (_, visit) => htmlPage("page", visit), {
    config,
    apiRoutes: [jobCategoriesApi(services), jobRolesApi(services), additionalFieldsApi({ ...services, site })],
  }).app;
});

const ask = (path: string, { host = "schools.test", ...headers }: Record<string, string> = {}) =>
  app.request(`http://${host}${path}`, {
    headers: { host, "Cache-Control": "no-cache", "X-Requested-With": "XMLHttpRequest", ...headers },
  });

interface Item {
  id: number;
  name: string;
}

const listAt = async (path: string) => (await (await ask(path)).json()) as Item[];

describe("Z6 the endpoints of the registration form", () => {
  test("Z6 GET /api/job-categories/{memberType} returns a list of id and name, and nothing else", async () => {
    const response = await ask("/api/job-categories/education");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const list = (await response.json()) as Item[];
    expect(list.map(({ name }) => name)).toEqual([
      "Classroom teaching",
      "Leadership",
      "Learning support",
      "Further & higher education",
      "Operations",
    ]);
    for (const item of list) expect(item).toEqual({ id: expect.any(Number), name: expect.any(String) });
  });

  test("Z6 GET /api/job-categories/{id}/job-roles returns a list of id and name", async () => {
    const [, leadership] = await listAt("/api/job-categories/education");
    const roles = await listAt(`/api/job-categories/${leadership?.id}/job-roles`);
    expect(roles.map(({ name }) => name)).toEqual(["Head teacher", "Deputy head", "Head of department", "SENCO"]);
    for (const role of roles) expect(Object.keys(role)).toEqual(["id", "name"]);
  });

  test("Z6 GET /api/job-roles/{id} returns the role with its jobCategoryId", async () => {
    const [, leadership] = await listAt("/api/job-categories/education");
    const [head] = await listAt(`/api/job-categories/${leadership?.id}/job-roles`);
    expect(await (await ask(`/api/job-roles/${head?.id}`)).json()).toEqual({
      id: head?.id,
      name: "Head teacher",
      jobCategoryId: leadership?.id,
    });
  });

  test("Z6 Y6 GET /api/additional-fields/{memberType} returns a list with the markup", async () => {
    const list = (await (await ask("/api/additional-fields/education")).json()) as unknown[];
    expect(list).toHaveLength(1);
    expect(list[0]).toMatch(/^<fieldset class="organisation-details"><legend>Organisation details<\/legend>/);
    expect(list[0]).toContain('<label for="additional_school_or_trust">School or trust</label>');
    expect(list[0]).not.toMatch(/<script|\son\w+=|\sstyle=/i);
  });

  test("M1 an organisation type has no job categories", async () => {
    expect(await (await ask("/api/job-categories/organisation")).json()).toEqual([]);
  });

  test("Z6 answers are not cached and not for other sites", async () => {
    for (const path of ["/api/job-categories/education", "/api/additional-fields/education"]) {
      const { headers } = await ask(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
    }
    expect((await ask("/api/additional-fields/education", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await ask("/api/additional-fields/education", { "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
  });

  test("B4 another brand's types, categories and roles are 404", async () => {
    const [category] = await listAt("/api/job-categories/education");
    const [role] = await listAt(`/api/job-categories/${category?.id}/job-roles`);
    for (const path of [
      "/api/job-categories/education",
      `/api/job-categories/${category?.id}/job-roles`,
      `/api/job-roles/${role?.id}`,
      "/api/additional-fields/education",
    ])
      expect((await ask(path, { host: "police.test" })).status, path).toBe(404);
    expect((await ask("/api/additional-fields/police", { host: "police.test" })).status).toBe(200);
  });

  test.each([
    "/api/job-categories/nothing",
    "/api/job-categories/'%3B--/job-roles",
    "/api/job-categories/0/job-roles",
    "/api/job-categories/99999999999999999999/job-roles",
    "/api/job-roles/1.5",
    "/api/job-roles/-1",
    "/api/job-roles/999999999",
    "/api/additional-fields/__proto__",
  ])("Z5 %s is 404 as problem+json", async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });

  test("S2 Z5 a path that is not valid text is 400 as problem+json", async () => {
    const response = await ask("/api/job-categories/%00");
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });
});
