import { type Choice, type ChoiceGroup, SelectField } from "@farthing/ui/forms/select-field.tsx";
import { useEarlyChoice } from "@farthing/ui/forms/use-early-choice.ts";
import { useRef, useState } from "react";
import { askCategoryOf, askJobRoles, type ChoiceItem } from "./choices-client.ts";
import { ShowQuestions } from "./show-questions.tsx";

export interface Category extends ChoiceItem {
  /** The roles, where they are already known, as in the server's own rendering. */
  roles?: ChoiceItem[];
}

/**
 * Job category, then its roles. The server renders every role in its category's group. Choosing a category narrows the
 * roles; choosing a role selects its category. Where a request fails, the known choices stay; where there are none, a
 * button reloads the page with every role (Y7).
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
  const [chosen, setChosen] = useState({ category: firstCategory, role: firstRole });
  // Answers arrive after the render that requested them. They read the current choice here.
  const latest = useRef(chosen);
  const [answered, setAnswered] = useState<Readonly<Record<string, ChoiceItem[]>>>({});
  const [missed, setMissed] = useState<string | null>(null);
  // The first render has to work without script: it has all roles, whichever category is chosen.
  const [isNarrowed, setNarrowed] = useState(false);

  const category = isNarrowed ? chosen.category : "";
  const ownRoles = answered[category] ?? rolesOf(categories, category);

  function put(next: { category: string; role: string }) {
    latest.current = next;
    setChosen(next);
  }

  async function chooseCategory(id: string) {
    const known = answered[id] ?? rolesOf(categories, id);
    const { role } = latest.current;
    put({ category: id, role: known?.some((item) => String(item.id) === role) ? role : "" });
    setNarrowed(true);
    setMissed(null);
    if (id === "") return;
    const roles = await askJobRoles(id);
    // A list without roles leads nowhere: treat it as a failure.
    if (roles && roles.length > 0) setAnswered((before) => ({ ...before, [id]: roles }));
    else if (latest.current.category === id) setMissed(id);
  }

  async function chooseRole(id: string) {
    put({ ...latest.current, role: id });
    // The roles of a chosen category have that category.
    if (id === "" || (isNarrowed && latest.current.category !== "")) return;
    const home = categories.find(({ roles }) => roles?.some((item) => String(item.id) === id));
    if (home && String(home.id) === latest.current.category) return;
    const asked = latest.current;
    const answer = (await askCategoryOf(id)) ?? home?.id;
    // Ignore an answer if the choice has changed since.
    if (answer !== undefined && latest.current === asked) put({ category: String(answer), role: id });
  }

  useEarlyChoice("job_category", firstCategory, (id) => void chooseCategory(id));
  useEarlyChoice("job_role", firstRole, (id) => void chooseRole(id));

  return (
    <>
      <SelectField
        name="job_category"
        label="Job category"
        required={isRequired}
        value={chosen.category}
        choices={categories.map(toChoice)}
        onChange={({ currentTarget }) => void chooseCategory(currentTarget.value)}
      />
      <SelectField
        name="job_role"
        label="Job role"
        required={isRequired}
        autoComplete="organization-title"
        value={chosen.role}
        choices={ownRoles ? ownRoles.map(toChoice) : inGroups(categories)}
        onChange={({ currentTarget }) => void chooseRole(currentTarget.value)}
      />
      {missed !== null && missed === category && !ownRoles && <ShowQuestions>Show the job roles</ShowQuestions>}
    </>
  );
}

function rolesOf(categories: Category[], category: string): ChoiceItem[] | undefined {
  return categories.find(({ id }) => String(id) === category)?.roles;
}

function inGroups(categories: Category[]): (Choice | ChoiceGroup)[] {
  return categories.flatMap(({ name, roles = [] }) =>
    roles.length > 0 ? [{ label: name, choices: roles.map(toChoice) }] : [],
  );
}

function toChoice({ id, name }: ChoiceItem): Choice {
  return { value: String(id), label: name };
}
