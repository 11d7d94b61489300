import { LongField, SelectField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { features, featureWords } from "../brands/brand-form.ts";

interface Named {
  slug: string;
  name: string;
}

const choicesOf = (named: readonly Named[]) => named.map(({ slug, name }) => ({ value: slug, label: name }));

export function QuestionFields({
  typed,
  faults,
  brands,
  categories,
}: {
  typed: Typed;
  faults: Faults | undefined;
  brands: readonly Named[];
  categories: readonly (Named & { onlyOf: string | null })[];
}) {
  const shared = { typed, faults };
  return (
    <>
      <SelectField
        name="brand"
        label="Whose question"
        choices={choicesOf(brands)}
        empty="Every brand’s"
        isRequired={false}
        {...shared}
      />
      <SelectField
        name="category"
        label="Subject"
        choices={categories.map(({ slug, name, onlyOf }) => ({
          value: slug,
          label: onlyOf === null ? name : `${name} (${onlyOf} only)`,
        }))}
        empty="Choose …"
        {...shared}
      />
      <TextField name="question" label="Question" max={200} {...shared} />
      <TextField
        name="slug"
        label="Short name"
        help="In the address: how-payouts-work. Links that members have lead nowhere once it changes."
        max={80}
        {...shared}
      />
      <LongField
        name="answer"
        label="Answer"
        rows={10}
        help="An empty line begins a paragraph, a dash a list. {brand} and {support} are filled in."
        max={10_000}
        {...shared}
      />
      <SelectField
        name="feature"
        label="Only where this feature is on"
        choices={features.map((value) => ({ value, label: featureWords[value] }))}
        empty="Always"
        isRequired={false}
        {...shared}
      />
      <TextField name="position" label="Place within the subject" inputMode="numeric" max={4} {...shared} />
    </>
  );
}
