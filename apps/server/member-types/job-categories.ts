import { listJobCategories, listJobRoles } from "@farthing/core/member-types/queries.server.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { answerChoices, numberIn, typeIn, type FormChoicesServices } from "./form-choices.ts";

/** GET /api/job-categories/{memberType} and /api/job-categories/{id}/job-roles: lists of { id, name } (M1). */
export function jobCategoriesApi(services: FormChoicesServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/api/job-categories/:memberType", (context) =>
      answerChoices(context, services, async ({ id: brandId }) => {
        const memberType = typeIn(context.req.param("memberType"));
        return memberType === null ? null : listJobCategories(services.db, { brandId, memberType });
      }),
    )
    .get("/api/job-categories/:id/job-roles", (context) =>
      answerChoices(context, services, async ({ id: brandId }) => {
        const categoryId = numberIn(context.req.param("id"));
        return categoryId === null ? null : listJobRoles(services.db, { brandId, categoryId });
      }),
    );
}
