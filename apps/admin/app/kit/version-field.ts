import { z } from "zod";

/** The version that a form was opened with. A form without a readable one counts as opened before every save. */
export const versionField = z.coerce.number().int().min(1).catch(0);
