import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { DateSelects } from "@farthing/ui/forms/date-selects.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import type { ReactNode } from "react";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { BelongingFields } from "../registration/belonging-fields.tsx";
import type { DetailsView } from "../registration/details-view.server.ts";

/** The form in which members change their details, with registration's own questions. */
function OwnDetailsForm({
  action,
  view,
  bornOn,
  supportEmail,
  isVerified,
  children,
}: {
  action: string;
  view: DetailsView;
  /** The date of birth in words, where it is set. */
  bornOn: string | null;
  supportEmail: string;
  isVerified: boolean;
  /** The additional fields. */
  children: ReactNode;
}) {
  const { values } = view;
  return (
    <CheckedForm
      id="own-details"
      action={action}
      errors={view.errors}
      labels={view.labels}
      className="registration-form own-details"
    >
      <TextField
        name="name"
        label="Full name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={values["name"]}
        help={isVerified ? "As it stands on your card. If you change it, we ask for proof again." : undefined}
      />
      {bornOn === null ? (
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
          help="You can set it once. After that we have to change it for you."
        />
      ) : (
        <div className="field own-details-fixed">
          <p className="field-label">Date of birth</p>
          <p>{bornOn}</p>
          <p className="field-help">
            Not right? <a href={`mailto:${supportEmail}`}>Write to us</a> with something that shows it: it decides who
            may join, so nobody changes it alone.
          </p>
        </div>
      )}
      <SelectField
        name="residence"
        label="Where you live"
        autoComplete="country"
        required
        choices={view.places}
        defaultValue={values["residence"] ?? (view.places.length === 1 ? view.places[0]?.value : undefined)}
      />
      <BelongingFields view={view}>{children}</BelongingFields>
      {isVerified && (
        <p className="soft">
          If you change your name, type or status we ask for proof again. Your card stays good meanwhile.
        </p>
      )}
      <p>
        <LoadingButton>Save changes</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("own-details-form", OwnDetailsForm);
