import { findJobRole } from "@farthing/core/member-types/queries.server.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { answerChoices, numberIn, type FormChoicesServices } from "./form-choices.ts";

/** GET /api/job-roles/{id}: a role with its jobCategoryId, so that the form can select the category (M1). */
export function jobRolesApi(services: FormChoicesServices): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/api/job-roles/:id", (context) =>
    answerChoices(context, services, async ({ id: brandId }) => {
      const roleId = numberIn(context.req.param("id"));
      return roleId === null ? null : findJobRole(services.db, { brandId, roleId });
    }),
  );
}
