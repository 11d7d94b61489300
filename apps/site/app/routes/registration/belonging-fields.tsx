import { MarkupFields } from "@farthing/ui/forms/markup-fields.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { askAdditionalFields, askJobCategories } from "./choices-client.ts";
import type { DetailsView } from "./details-view.server.ts";
import { type Category, JobFields } from "./job-fields.tsx";
import { ShowQuestions } from "./show-questions.tsx";
import { TypeFields } from "./type-fields.tsx";

const SHOW_QUESTIONS = "Show the questions for this choice";

interface Questions {
  /** The slug of the type that they belong to. */
  type: string;
  /** Null for the fields that the page has from the server. */
  markup: string | null;
  categories: Category[];
}

/**
 * How somebody belongs to the club: type and status, and the questions that follow from them. Used in registration and
 * wherever a member changes them.
 */
export function BelongingFields({
  view,
  isSettled = false,
  children,
}: {
  view: DetailsView;
  /**
   * Whether type and status were chosen in an earlier step. They are then shown in one line, with a way to change them.
   */
  isSettled?: boolean;
  /** The additional fields of the type that the page was rendered with, as the server's HTML. */
  children: ReactNode;
}) {
  const { types, values } = view;
  const [chosen, setChosen] = useState({ type: view.type, status: view.status });
  const [questions, setQuestions] = useState<Questions>({
    type: view.type,
    markup: null,
    categories: view.categories,
  });
  // Keep what the server rendered, above all its roles: another request for it may fail (Y7).
  const known = useRef(new Map([[view.type, questions]]));
  const wanted = useRef(view.type);
  const [isMissed, setMissed] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const markup = section.current?.querySelector("site-slot")?.innerHTML;
    const first = known.current.get(view.type);
    if (markup !== undefined && first) known.current.set(view.type, { ...first, markup });
  }, [view.type]);

  async function choose(next: { type: string; status: string }) {
    setChosen(next);
    if (next.type === wanted.current || next.type === "") return;
    wanted.current = next.type;
    setMissed(false);
    if (next.type === questions.type) return; // the choice that is shown already
    const [categories, markup] = await Promise.all([askJobCategories(next.type), askAdditionalFields(next.type)]);
    if (wanted.current !== next.type) return;
    const answer = combine(next.type, { categories, markup }, known.current.get(next.type));
    if (!answer) return setMissed(true); // the questions stay, and the button leads on
    known.current.set(next.type, answer);
    setQuestions(answer);
  }

  const type = types.find(({ slug }) => slug === chosen.type) ?? types.find(({ slug }) => slug === view.type);
  const status = type?.statuses.find(({ slug }) => slug === chosen.status);
  const hidesDetails = status?.hidesDetails ?? false;
  const choices = (
    <>
      <TypeFields types={types} type={view.type} status={view.status} onChange={(next) => void choose(next)} />
      {/* With script the questions follow the choice. Without it this button loads them. */}
      <noscript>
        <button type="submit" name="intent" value="show" formNoValidate className="button is-quiet">
          {SHOW_QUESTIONS}
        </button>
      </noscript>
    </>
  );
  const isOpenAtFirst = view.status === "" || "member_type" in view.errors || "member_status" in view.errors;

  return (
    <section ref={section} className="registration-part" aria-labelledby="registration-work">
      <h2 id="registration-work" className="display registration-heading">
        How you belong
      </h2>
      {isSettled ? (
        <details className="settled-choice" open={isOpenAtFirst}>
          <summary>
            <span className="settled-choice-now">{[type?.name, status?.name].filter(Boolean).join(", ")}</span>
            <span className="settled-choice-change">Change</span>
          </summary>
          {choices}
        </details>
      ) : (
        choices
      )}
      {isMissed && <ShowQuestions>{SHOW_QUESTIONS}</ShowQuestions>}
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
      <MarkupFields html={questions.markup} hides={hidesDetails ? ".organisation-details" : undefined}>
        {children}
      </MarkupFields>
    </section>
  );
}

/**
 * Returns an answer merged with what is known: categories keep the roles that the server rendered. Null where one of
 * the two is missing.
 */
function combine(
  type: string,
  answer: { categories: Category[] | null; markup: string | null },
  known: Questions | undefined,
): Questions | null {
  const markup = answer.markup ?? known?.markup ?? null;
  const categories = answer.categories?.map(
    (category) => known?.categories.find(({ id }) => id === category.id) ?? category,
  );
  const usable = categories ?? known?.categories;
  return markup === null || usable === undefined ? null : { type, markup, categories: usable };
}
