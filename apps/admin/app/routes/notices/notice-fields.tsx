import { noticeKinds, noticeWords } from "@farthing/core/notices/rules.ts";
import { LongField, SelectField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

export interface Named {
  slug: string;
  name: string;
}

export const brandChoices = (brands: readonly Named[]) =>
  brands.map(({ slug, name }) => ({ value: slug, label: name }));
/** Who may see a notice, with the choice of every brand. */
export const audienceChoices = (brands: readonly Named[]) => [
  { value: "", label: "Every brand’s visitors" },
  ...brandChoices(brands),
];
export const kindChoices = noticeKinds.map((value) => ({ value, label: noticeWords[value] }));

export function NoticeFields({
  typed,
  faults,
  brands,
}: {
  typed: Typed;
  faults: Faults | undefined;
  brands: readonly Named[];
}) {
  const shared = { typed, faults };
  return (
    <>
      <SelectField name="brand" label="Who sees it" choices={audienceChoices(brands)} isRequired={false} {...shared} />
      <SelectField name="kind" label="What it is" choices={kindChoices} {...shared} />
      <TextField name="title" label="Title" help="On every page while it holds." max={80} {...shared} />
      <LongField
        name="text"
        label="Text"
        rows={4}
        help="On the status page: what happens, what members notice, and what they need not do."
        max={500}
        {...shared}
      />
      <TextField
        name="since"
        label="Since"
        type="datetime-local"
        help="London’s time. Planned work is on the status page 14 days before."
        {...shared}
      />
      <TextField
        name="until"
        label="Until"
        type="datetime-local"
        help="Empty: until you end it."
        isRequired={false}
        {...shared}
      />
    </>
  );
}
