import type { ReactNode, Ref } from "react";
import { Field, type FieldProps } from "./field.tsx";

export interface FileFieldProps extends Pick<
  FieldProps,
  "name" | "label" | "id" | "required" | "help" | "error" | "hasErrorElsewhere" | "className" | "labelId"
> {
  /** Media types and extensions, as `<input accept>` takes them. */
  accept: string;
  /** A class for the box around the input. */
  dropClassName?: string;
  ref?: Ref<HTMLInputElement>;
  /** Shown below the input: for example hints about the file. */
  children?: ReactNode;
}

/** One file. The browser's own control, which a script may replace. */
export function FileField({ accept, dropClassName, ref, children, ...field }: FileFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <>
          <div className={dropClassName}>
            <input {...control} ref={ref} type="file" accept={accept} />
          </div>
          {children}
        </>
      )}
    </Field>
  );
}
