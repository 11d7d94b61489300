import { sql } from "kysely";
import { openDueWork } from "../due-work/due-work.server.ts";
import { nextLineAttempt } from "./rules.ts";

/** Lines with something to do next. None is ever given up: each is somebody's money. */
export const dueLines = openDueWork<{ publicId: string }>()({
  table: "gift_card_lines",
  id: "id",
  dueAt: "next_step_at",
  attempts: "attempts",
  lastError: "last_error",
  isOpen: sql`work.next_step_at is not null`,
  columns: sql`work.public_id as "publicId"`,
  nextAttempt: nextLineAttempt,
});
