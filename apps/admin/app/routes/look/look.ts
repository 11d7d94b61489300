import { redirect } from "react-router";
import { looks } from "../../shell-context.ts";
import { ownPath } from "../../kit/own-path.ts";
import { lookCookie } from "./look-cookie.ts";
import type { Route } from "./+types/look";

export function loader() {
  return redirect("/admin", 303);
}

/** Keeps light, dark or the system's choice, and goes back. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const look = looks.find((each) => each === form.get("look")) ?? "auto";
  return redirect(ownPath(form.get("back")), { status: 303, headers: { "Set-Cookie": lookCookie(look) } });
}
