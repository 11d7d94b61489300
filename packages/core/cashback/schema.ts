/** Parameters of the history's addresses. */
import { z } from "zod";
import { entryIdOf } from "./history-cursor.ts";

/** A cursor as an address has it, parsed to an entry's id. Whether the entry exists and is the member's, the query finds out. */
export const historyCursorSchema = z.string().transform(entryIdOf).nullable();
