import { removeView, saveView, viewSchema } from "@farthing/core/operators/views.server.ts";
import { redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { ownPath } from "../../kit/own-path.ts";
import { checkForm, typedIn } from "../../kit/read-form.ts";
import type { Route } from "./+types/views";

export function loader() {
  return redirect("/admin", 303);
}

/** Saves or removes a view of a list, and goes back to the list. Views are the operator's own, so the log has nothing of them. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const { id: operatorId } = context.get(operatorContext);
  const typed = typedIn(await request.formData());
  if (/^[0-9a-f-]{36}$/.test(typed["remove"] ?? "")) await removeView(db, { operatorId, id: typed["remove"] ?? "" });
  const form = checkForm(typed, viewSchema);
  if (form.ok) await saveView(db, { ...form.value, operatorId, now: now() });
  return redirect(ownPath(typed["back"]), 303);
}
