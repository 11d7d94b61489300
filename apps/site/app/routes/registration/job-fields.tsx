import { type Choice, type ChoiceGroup, SelectField } from "@farthing/ui/forms/select-field.tsx";
import { useEarlyChoice } from "@farthing/ui/forms/use-early-choice.ts";
import { useRef, useState } from "react";
import { askCategoryOf, askJobRoles, type ChoiceItem } from "./choices-client.ts";

export interface Category extends ChoiceItem {
  /** Where they are known already, as they are from the server's own rendering. */
  roles?: ChoiceItem[];
}

/**
 * Job category, then its roles. As the server renders it, every role is there in its category's group; choosing a category narrows them, and
 * choosing a role chooses its category. Where asking for either fails, the choices stay as they are.
 */
export function JobFields({
  categories,
  isRequired,
  firstCategory,
  firstRole,
}: {
  categories: Category[];
  isRequired: boolean;
  firstCategory: string;
  firstRole: string;
}) {
  const [category, setCategory] = useState(firstCategory);
  const [role, setRole] = useState(firstRole);
  const [roles, setRoles] = useState<ChoiceItem[] | null>(null);
  // As it comes, the page has to do without script: all roles are there, whichever category is chosen.
  const [isNarrowed, setNarrowed] = useState(false);
  const latest = useRef(firstCategory);

  async function chooseCategory(id: string) {
    latest.current = id;
    setCategory(id);
    setRole("");
    setRoles(null);
    setNarrowed(true);
    if (id === "") return;
    const answer = await askJobRoles(id);
    // An answer that was overtaken by another choice is of no use.
    if (answer && latest.current === id) setRoles(answer);
  }

  async function chooseRole(id: string) {
    setRole(id);
    if (category !== "" || id === "") return;
    const categoryId = await askCategoryOf(id);
    if (categoryId === null || latest.current !== "") return;
    latest.current = String(categoryId);
    setCategory(String(categoryId));
  }

  useEarlyChoice("job_category", firstCategory, (id) => void chooseCategory(id));
  useEarlyChoice("job_role", firstRole, (id) => void chooseRole(id));

  return (
    <>
      <SelectField
        name="job_category"
        label="Job category"
        required={isRequired}
        value={category}
        choices={categories.map(toChoice)}
        onChange={({ currentTarget }) => void chooseCategory(currentTarget.value)}
      />
      <SelectField
        name="job_role"
        label="Job role"
        required={isRequired}
        autoComplete="organization-title"
        value={role}
        choices={roles ? roles.map(toChoice) : knownRoles(categories, isNarrowed ? category : "")}
        onChange={({ currentTarget }) => void chooseRole(currentTarget.value)}
      />
    </>
  );
}

function knownRoles(categories: Category[], category: string): (Choice | ChoiceGroup)[] {
  const own = categories.find(({ id }) => String(id) === category)?.roles;
  if (own) return own.map(toChoice);
  return categories.flatMap(({ name, roles = [] }) =>
    roles.length > 0 ? [{ label: name, choices: roles.map(toChoice) }] : [],
  );
}

function toChoice({ id, name }: ChoiceItem): Choice {
  return { value: String(id), label: name };
}
