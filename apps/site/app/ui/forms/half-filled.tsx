/** Marks a form whose typed values the tab keeps until it has arrived (half-filled.ts). `name` tells apart forms of several things. */
export function HalfFilled({ form, name = form }: { form: string; name?: string }) {
  return <span hidden data-half-filled={name} data-form={form} />;
}
