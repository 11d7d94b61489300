import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import * as build from "virtual:react-router/server-build";
import { servicesContext, visitContext } from "../app/admin-context.ts";
import type { CreateAdmin } from "./admin-handler.ts";

/** The admin's routes, by id. Tests send requests to every one. */
export const { routes } = build as ServerBuild;

/** What the server uses of the admin's build. Services and visit reach loaders through React Router's context. */
export const createAdmin: CreateAdmin = (services) => {
  const handle = createRequestHandler(build as ServerBuild, import.meta.env.MODE);
  return (request, visit) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(visitContext, visit);
    return handle(request, context);
  };
};
