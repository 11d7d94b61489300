import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { LoadingButton } from "../../ui/loading-button.tsx";

/** The fast path: whoever reads the mailbox works there. */
export function WorkEmailForm({
  domains,
  error,
  email,
}: {
  domains: string[];
  error?: string | undefined;
  email?: string | undefined;
}) {
  const examples = domains.map((domain) => `name@….${domain}`).join(" or ");
  return (
    <CheckedForm
      action="/verification/work-email"
      className="work-email-form"
      errors={error ? { work_email: error } : {}}
      labels={{ work_email: "Work e-mail" }}
    >
      <TextField
        name="work_email"
        label="Work e-mail"
        type="email"
        autoComplete="work email"
        required
        defaultValue={email}
        help={`Such as ${examples}. We send one link there and nothing else. You go on logging in with your own address.`}
      />
      <LoadingButton>Send the link</LoadingButton>
    </CheckedForm>
  );
}
