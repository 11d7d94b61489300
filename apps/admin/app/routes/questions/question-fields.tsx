import { LongField, SelectField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { features, featureWords } from "../brands/brand-form.ts";

interface Named {
  slug: string;
  name: string;
}

type Subject = Named & { onlyOf: string | null };

/** The values of the form's choices with their words. An empty value is every brand's, or always. */
export const questionChoices = (brands: readonly Named[], subjects: readonly Subject[]) => ({
  brand: [{ value: "", label: "Every brand’s" }, ...brands.map(({ slug, name }) => ({ value: slug, label: name }))],
  category: subjects.map(({ slug, name, onlyOf }) => ({
    value: slug,
    label: onlyOf === null ? name : `${name} (${onlyOf} only)`,
  })),
  feature: [{ value: "", label: "Always" }, ...features.map((value) => ({ value, label: featureWords[value] }))],
});

export function QuestionFields({
  typed,
  faults,
  brands,
  categories,
}: {
  typed: Typed;
  faults: Faults | undefined;
  brands: readonly Named[];
  categories: readonly Subject[];
}) {
  const shared = { typed, faults };
  const choices = questionChoices(brands, categories);
  return (
    <>
      <SelectField name="brand" label="Whose question" choices={choices.brand} isRequired={false} {...shared} />
      <SelectField name="category" label="Subject" choices={choices.category} empty="Choose …" {...shared} />
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
        choices={choices.feature}
        isRequired={false}
        {...shared}
      />
      <TextField name="position" label="Place within the subject" inputMode="numeric" max={4} {...shared} />
    </>
  );
}
