import { redirect } from "react-router";
import { servicesContext, visitContext } from "../../admin-context.ts";
import type { Route } from "./+types/sign-out";

export function loader() {
  return redirect("/admin", 303);
}

export async function action({ context }: Route.ActionArgs) {
  const headers = await context.get(servicesContext).accounts.signOut(context.get(visitContext));
  return redirect("/admin/sign-in?signed-out", { status: 303, headers });
}
