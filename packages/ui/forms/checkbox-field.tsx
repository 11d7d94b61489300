import type { ReactNode } from "react";
import { Field, type FieldProps } from "./field.tsx";

export interface CheckboxFieldProps extends Pick<FieldProps, "name" | "label" | "id" | "required" | "help" | "error"> {
  /** The text beside the box, where it is more than the label: for example with a link. */
  children?: ReactNode;
  value?: string;
  defaultChecked?: boolean;
}

/** One box to tick. A consent is never ticked beforehand. */
export function CheckboxField({ children, value = "yes", defaultChecked = false, ...field }: CheckboxFieldProps) {
  return (
    <Field {...field} caption={children ?? field.label} layout="beside">
      {(control) => <input {...control} type="checkbox" value={value} defaultChecked={defaultChecked} />}
    </Field>
  );
}
