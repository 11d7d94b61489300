import { act, NotPermittedError, type Act, type Actor } from "@farthing/core/audit/act.server.ts";
import type { RouterContextProvider } from "react-router";
import { operatorContext, servicesContext, visitContext } from "../admin-context.ts";
import { NOT_PERMITTED, refused } from "../guard.server.ts";

/** Returns who acts, for core's `act`. */
export function actorOf(context: Readonly<RouterContextProvider>): Actor & { operator: { id: string; email: string } } {
  const { id, email } = context.get(operatorContext);
  const { requestId } = context.get(visitContext);
  return { operator: { id, email }, requestId, now: context.get(servicesContext).now() };
}

/** As core's `act`, where the answer is a file. It has no page around it that would say what was refused. */
export async function actForFile<Result>(
  context: Readonly<RouterContextProvider>,
  what: Act<Result>,
  change: Parameters<typeof act<Result>>[3],
): Promise<Result> {
  try {
    return await act(context.get(servicesContext).db, actorOf(context), what, change);
  } catch (error) {
    throw error instanceof NotPermittedError ? refused(403, NOT_PERMITTED) : error;
  }
}
