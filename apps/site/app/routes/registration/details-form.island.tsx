import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { DateSelects } from "@farthing/ui/forms/date-selects.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import type { ComponentProps, ReactNode } from "react";
import { island } from "../../islands/island.tsx";
import { FullPageOverlay } from "../../ui/overlays/full-page-overlay.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { BelongingFields } from "./belonging-fields.tsx";
import type { DetailsView } from "./details-view.server.ts";
import { useKeptAnswers } from "./use-kept-answers.ts";
import { useSending } from "./use-sending.ts";

/** Step two. The questions follow from member type and status: at once with script, after pressing a button without. */
function DetailsForm({
  view,
  minimumAge,
  consents,
  isTooMany,
  children,
}: {
  view: DetailsView;
  minimumAge: number;
  /** The wordings of the consents. */
  consents: { terms: string; offers: string };
  /** Whether too many people have joined from the same address. */
  isTooMany: boolean;
  /** The additional fields. */
  children: ReactNode;
}) {
  const { values } = view;
  const { isSending, send } = useSending();
  useKeptAnswers("registration-details", isSending);

  return (
    <>
      <CheckedForm
        id="registration-details"
        action="/register/details"
        errors={view.errors}
        labels={view.labels}
        className="registration-form"
        onSend={send}
      >
        {isTooMany && (
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
          help={`You have to be ${minimumAge} or over.`}
        />
        <SelectField
          name="residence"
          label="Where you live"
          autoComplete="country"
          required
          choices={view.places}
          defaultValue={values["residence"] ?? (view.places.length === 1 ? view.places[0]?.value : undefined)}
        />
        <BelongingFields view={view} isSettled>
          {children}
        </BelongingFields>
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
                They are here:{" "}
                <PageLink href="/legal/terms" data-tracking="terms_and_conditions">
                  terms
                </PageLink>
                , <PageLink href="/legal/privacy">privacy notice</PageLink>.
              </>
            }
          >
            {consents.terms}
          </CheckboxField>
          <CheckboxField name="offers" label="Offers by e-mail">
            {consents.offers} <span className="field-optional">(optional)</span>
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

function PageLink({ children, ...attributes }: ComponentProps<"a">) {
  return (
    <a {...attributes} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

export default island("details-form", DetailsForm);
