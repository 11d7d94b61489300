import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

/** The fast way: people who can read the mailbox work there. */
function WorkEmailForm({
  domains,
  error,
  email,
}: {
  domains: string[];
  error?: string | undefined;
  email?: string | undefined;
}) {
  const endings = domains.map((domain) => `.${domain}`).join(" or ");
  return (
    <CheckedForm
      action="/verification/work-email"
      className="work-email-form"
      errors={error ? { work_email: error } : {}}
      labels={{ work_email: "Work or college e-mail" }}
    >
      <TextField
        name="work_email"
        label="Work or college e-mail"
        type="email"
        autoComplete="work email"
        required
        defaultValue={email}
        help={`It ends in ${endings}. We send one link there and nothing else. You go on logging in with your own address.`}
      />
      <LoadingButton>Send the link</LoadingButton>
    </CheckedForm>
  );
}

export default island("work-email-form", WorkEmailForm);
