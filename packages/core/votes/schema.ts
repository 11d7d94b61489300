import { z } from "zod";

/** What the form of "Did it work?" says; null for anything else. */
export const voteOutcomeSchema = z.enum(["worked", "failed"]).nullable().catch(null);
