import { listAdditionalFields } from "@farthing/core/member-types/queries.server.ts";
import type { Site } from "@farthing/site/server/site-handler.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { answerChoices, typeIn, type FormChoicesServices } from "./form-choices.ts";

/** GET /api/additional-fields/{memberType}: a list that holds the markup for the form's additional-fields block (M1, Y6). */
export function additionalFieldsApi(
  services: FormChoicesServices & { site: Pick<Site, "additionalFieldsMarkup"> },
): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/api/additional-fields/:memberType", (context) =>
    answerChoices(context, services, async ({ id: brandId }) => {
      const memberType = typeIn(context.req.param("memberType"));
      const fields = memberType === null ? null : await listAdditionalFields(services.db, { brandId, memberType });
      return fields && [await services.site.additionalFieldsMarkup(fields)];
    }),
  );
}
