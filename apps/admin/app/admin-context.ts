import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";
import { createContext } from "react-router";
import type { AdminServices, AdminVisit } from "../server/admin-handler.ts";

/** Everything that lives as long as the process. create-admin.ts sets it; loaders and actions read it. */
export const servicesContext = createContext<AdminServices>();

/** The operator and the request. */
export const visitContext = createContext<AdminVisit>();

/** The operator who is signed in. Set by the guard (guard.server.ts) on every page for operators. */
export const operatorContext = createContext<SessionOperator>();
