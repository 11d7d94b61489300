import type { Actor } from "@farthing/core/audit/act.server.ts";
import type { RouterContextProvider } from "react-router";
import { operatorContext, servicesContext, visitContext } from "../admin-context.ts";

/** Returns who acts, for core's `act`. */
export function actorOf(context: Readonly<RouterContextProvider>): Actor & { operator: { id: string; email: string } } {
  const { id, email } = context.get(operatorContext);
  const { requestId } = context.get(visitContext);
  return { operator: { id, email }, requestId, now: context.get(servicesContext).now() };
}
