import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { DateSelects } from "@farthing/ui/forms/date-selects.tsx";
import { MarkupFields } from "@farthing/ui/forms/markup-fields.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { useRef, useState } from "react";
import { FullPageOverlay } from "../../ui/full-page-overlay.tsx";
import { LoadingButton } from "../../ui/loading-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { askAdditionalFields, askJobCategories } from "./choices-client.ts";
import type { DetailsView } from "./details-view.server.ts";
import { type Category, JobFields } from "./job-fields.tsx";
import { TypeFields } from "./type-fields.tsx";
import { useKeptAnswers } from "./use-kept-answers.ts";
import { useSending } from "./use-sending.ts";

const labels = {
  member_type: "Member type",
  member_status: "Member status",
  name: "Full name",
  dob_day: "Date of birth: day",
  dob_month: "Date of birth: month",
  dob_year: "Date of birth: year",
  job_category: "Job category",
  job_role: "Job role",
  member_id: "Member ID",
  residence: "Where you live",
  terms: "Terms",
};

const showQuestions = "Show the questions for this choice";

/** Step two: what is asked follows from member type and status, at once with script, after a press of the button without. */
export function DetailsForm({ view }: { view: DetailsView & { waitSeconds: number } }) {
  const { types, values } = view;
  const [chosen, setChosen] = useState({ type: view.type, status: view.status });
  const [questions, setQuestions] = useState<{ type: string; markup: string; categories: Category[] }>({
    type: view.type,
    markup: view.fieldsMarkup,
    categories: view.categories,
  });
  const asked = useRef(view.type);
  const [isMissed, setMissed] = useState(false);
  const { isSending, send } = useSending();
  useKeptAnswers("registration-details", isSending);

  async function choose(next: { type: string; status: string }) {
    setChosen(next);
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
    <>
      <CheckedForm
        id="registration-details"
        action="/register/details"
        errors={view.errors}
        labels={{ ...labels, member_id: type?.memberIdLabel ?? labels.member_id, ...view.labels }}
        className="registration-form"
        onSend={send}
      >
        {view.waitSeconds > 0 && (
          <Notice tone="warn" isUrgent title="Too many at once">
            <p>Many people are joining from where you are. We kept what you typed: please try again later.</p>
          </Notice>
        )}
        <TextField
          name="name"
          label="Full name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={values["name"]}
        />
        <DateSelects
          name="date_of_birth"
          prefix="dob"
          legend="Date of birth"
          autoComplete="bday"
          required
          years={view.years}
          defaultValue={{
            day: values["dob_day"] ?? "",
            month: values["dob_month"] ?? "",
            year: values["dob_year"] ?? "",
          }}
          help={`You have to be ${view.minimumAge} or over.`}
        />
        <SelectField
          name="residence"
          label="Where you live"
          autoComplete="country"
          required
          choices={view.places}
          defaultValue={values["residence"] ?? (view.places.length === 1 ? view.places[0]?.value : undefined)}
        />
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
        <section className="registration-part" aria-labelledby="registration-consents">
          <h2 id="registration-consents" className="display registration-heading">
            Before you join
          </h2>
          <CheckboxField
            name="terms"
            label="Terms"
            required
            help={
              <>
                They are here: <PageLink href="/legal/terms">terms</PageLink>,{" "}
                <PageLink href="/legal/privacy">privacy notice</PageLink>.
              </>
            }
          >
            {view.terms}
          </CheckboxField>
          <CheckboxField name="offers" label="Offers by e-mail">
            {view.offers} <span className="field-optional">(optional)</span>
          </CheckboxField>
        </section>
        <LoadingButton className="is-large is-wide">Create account</LoadingButton>
      </CheckedForm>
      <FullPageOverlay
        isShown={isSending}
        lines={["Setting up your account", "Writing you an e-mail", "Nearly there: please keep this page open"]}
      />
    </>
  );
}

/** The whole page comes back with the questions, and with what was typed; nothing is checked. */
function sendForQuestions(form: HTMLFormElement | null): void {
  const intent = Object.assign(document.createElement("input"), { type: "hidden", name: "intent", value: "show" });
  form?.append(intent);
  form?.submit();
}

function PageLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
