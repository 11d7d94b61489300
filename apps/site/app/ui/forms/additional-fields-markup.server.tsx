import { renderToStaticMarkup } from "react-dom/server";
import { AdditionalFields, type AdditionalFieldsProps } from "./additional-fields.tsx";

/**
 * Returns the additional fields as HTML: the answer of /api/additional-fields, and part of the page that is rendered
 * with them (Y6). React escapes everything that comes from data or from a person.
 */
export function additionalFieldsMarkup(props: AdditionalFieldsProps): string {
  return renderToStaticMarkup(<AdditionalFields {...props} />);
}
