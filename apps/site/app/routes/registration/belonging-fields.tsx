import { MarkupFields } from "@farthing/ui/forms/markup-fields.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { useRef, useState } from "react";
import { askAdditionalFields, askJobCategories } from "./choices-client.ts";
import type { DetailsView } from "./details-view.server.ts";
import { type Category, JobFields } from "./job-fields.tsx";
import { TypeFields } from "./type-fields.tsx";

const showQuestions = "Show the questions for this choice";

/** How somebody belongs to the club: type and status, and what is asked because of them; in registration and wherever a member changes it. */
export function BelongingFields({
  view,
  onType,
}: {
  view: DetailsView;
  /** Told the slug of the type that is chosen. */
  onType?: (type: string) => void;
}) {
  const { types, values } = view;
  const [chosen, setChosen] = useState({ type: view.type, status: view.status });
  const [questions, setQuestions] = useState<{ type: string; markup: string; categories: Category[] }>({
    type: view.type,
    markup: view.fieldsMarkup,
    categories: view.categories,
  });
  const asked = useRef(view.type);
  const [isMissed, setMissed] = useState(false);

  async function choose(next: { type: string; status: string }) {
    setChosen(next);
    onType?.(next.type);
    if (next.type === asked.current || next.type === "") return;
    asked.current = next.type;
    setMissed(false);
    const [categories, markup] = await Promise.all([askJobCategories(next.type), askAdditionalFields(next.type)]);
    if (asked.current !== next.type) return;
    if (categories && markup !== null) setQuestions({ type: next.type, markup, categories });
    else setMissed(true); // what was asked stays, and the button leads on
  }

  const type = types.find(({ slug }) => slug === chosen.type) ?? types.find(({ slug }) => slug === view.type);
  const hidesDetails = type?.statuses.find(({ slug }) => slug === chosen.status)?.hidesDetails ?? false;

  return (
    <section className="registration-part" aria-labelledby="registration-work">
      <h2 id="registration-work" className="display registration-heading">
        How you belong
      </h2>
      <TypeFields types={types} type={view.type} status={view.status} onChange={(next) => void choose(next)} />
      {/* With script the questions follow the choice; this is for without, and for when asking for them failed. */}
      <noscript>
        <button type="submit" name="intent" value="show" formNoValidate className="button is-quiet">
          {showQuestions}
        </button>
      </noscript>
      {isMissed && (
        <button
          type="button"
          className="button is-quiet"
          onClick={({ currentTarget: { form } }) => sendForQuestions(form)}
        >
          {showQuestions}
        </button>
      )}
      {questions.categories.length > 0 && (
        <JobFields
          key={questions.type}
          categories={questions.categories}
          isRequired={!hidesDetails}
          firstCategory={questions.type === view.type ? (values["job_category"] ?? "") : ""}
          firstRole={questions.type === view.type ? (values["job_role"] ?? "") : ""}
        />
      )}
      <TextField
        name="member_id"
        label={type?.memberIdLabel ?? "Member ID"}
        autoComplete="off"
        maxLength={60}
        defaultValue={values["member_id"]}
        help={type?.memberIdHelp}
      />
      <MarkupFields html={questions.markup} hides={hidesDetails ? ".organisation-details" : undefined} />
    </section>
  );
}

/** The whole page comes back with the questions, and with what was typed; nothing is checked. */
function sendForQuestions(form: HTMLFormElement | null): void {
  const intent = Object.assign(document.createElement("input"), { type: "hidden", name: "intent", value: "show" });
  form?.append(intent);
  form?.submit();
}
