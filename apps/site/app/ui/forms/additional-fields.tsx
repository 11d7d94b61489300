import { inputName, MAX_ANSWER_LENGTH, type AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { DateField } from "@farthing/ui/forms/date-field.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";

export interface AdditionalFieldsProps {
  fields: readonly AdditionalField[];
  /** What has been typed so far, by the names of the inputs. */
  values?: Readonly<Record<string, string>>;
  /** The server's messages, by the names of the inputs. */
  errors?: Readonly<Record<string, string>>;
  /** Renders the organisation details hidden and disabled: another member status shows them again (M1). */
  hidesOrganisationDetails?: boolean;
}

/** The questions that a member type adds to registration, rendered by the same fields as every other form (M1, Y6). */
export function AdditionalFields({ fields, values, errors, hidesOrganisationDetails = false }: AdditionalFieldsProps) {
  const general = fields.filter((field) => !field.isOrganisationDetail);
  const details = fields.filter((field) => field.isOrganisationDetail);
  const shown = (list: readonly AdditionalField[]) =>
    list.map((field) => {
      const name = inputName(field);
      return <OneField key={name} field={field} value={own(values, name) ?? ""} error={own(errors, name)} />;
    });
  return (
    <>
      {shown(general)}
      {details.length > 0 && (
        <fieldset
          className="organisation-details"
          hidden={hidesOrganisationDetails}
          disabled={hidesOrganisationDetails}
        >
          <legend>Organisation details</legend>
          {shown(details)}
        </fieldset>
      )}
    </>
  );
}

function OneField({ field, value, error }: { field: AdditionalField; value: string; error: string | undefined }) {
  const { label, help, kind, choices, isRequired, autocomplete } = field;
  const same = { name: inputName(field), label, help, required: isRequired, error };
  const text = { ...same, autoComplete: autocomplete, defaultValue: value };
  switch (kind) {
    case "checkbox":
      return <CheckboxField {...same} defaultChecked={value !== ""} />;
    case "select":
      return <SelectField {...text} choices={choices.map((choice) => ({ value: choice, label: choice }))} />;
    case "date":
      return <DateField {...text} />;
    case "month":
      return <TextField {...text} type="month" maxLength={7} placeholder="2027-07" />;
    case "text":
    case "email":
      return <TextField {...text} type={kind} maxLength={MAX_ANSWER_LENGTH} />;
  }
}

/** Field names come from data, so a name such as `__proto__` must find nothing. */
function own(texts: Readonly<Record<string, string>> = {}, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
