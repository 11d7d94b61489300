import { z } from "zod";
import { swapReasons } from "./rules.ts";

/** Reads the reason from the form "Need another code?"; null for anything else. */
export const swapReasonSchema = z.enum(swapReasons).nullable().catch(null);
