/**
 * Requests the choices of the registration form (/api/…). Failures are not shown (Y7): the result is null, and the form
 * continues with what it has.
 */

export interface ChoiceItem {
  id: number;
  name: string;
}

export async function askJobCategories(memberType: string): Promise<ChoiceItem[] | null> {
  return listOf(await ask(`/api/job-categories/${encodeURIComponent(memberType)}`));
}

export async function askJobRoles(categoryId: string): Promise<ChoiceItem[] | null> {
  return listOf(await ask(`/api/job-categories/${encodeURIComponent(categoryId)}/job-roles`));
}

/** Returns the category of a role. */
export async function askCategoryOf(roleId: string): Promise<number | null> {
  const role = (await ask(`/api/job-roles/${encodeURIComponent(roleId)}`)) as { jobCategoryId?: unknown } | null;
  return typeof role?.jobCategoryId === "number" ? role.jobCategoryId : null;
}

/** Returns the markup of a type's additional fields, from our own renderer. */
export async function askAdditionalFields(memberType: string): Promise<string | null> {
  const list = await ask(`/api/additional-fields/${encodeURIComponent(memberType)}`);
  const markup: unknown = Array.isArray(list) ? list[0] : null;
  return typeof markup === "string" ? markup : null;
}

async function ask(path: string): Promise<unknown> {
  try {
    const response = await fetch(path, {
      headers: { "Cache-Control": "no-cache", Pragma: "no-cache", "X-Requested-With": "XMLHttpRequest" },
      cache: "no-store",
      signal: AbortSignal.timeout(8000),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function listOf(answer: unknown): ChoiceItem[] | null {
  if (!Array.isArray(answer)) return null;
  return answer.filter(
    (item): item is ChoiceItem => typeof item === "object" && item !== null && "id" in item && "name" in item,
  );
}
