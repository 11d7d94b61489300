import { z } from "zod";

/** Reads the vote from the form "Did it work?"; null for anything else. */
export const voteOutcomeSchema = z.enum(["worked", "failed"]).nullable().catch(null);
