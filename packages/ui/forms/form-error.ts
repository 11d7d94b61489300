export interface FormError {
  name: string;
  label: string;
  message: string;
  /** The field's id, where it differs from its name. */
  id?: string;
}
