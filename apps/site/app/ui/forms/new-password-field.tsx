import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
import { useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";

const loadCommon = () => import("./common-passwords.ts");

/**
 * The field for a new password. It knows all that the server refuses, the common passwords included, so that its label promises nothing else
 * (product.md Y1): their list is fetched when somebody comes to the field, and no password leaves the page. Where it can't be had, the
 * rule of seed section 5 alone decides the label, and the server the rest.
 */
export function NewPasswordField({ emailField }: { emailField?: string }) {
  const [isWanted, setWanted] = useState(false);
  const { module, error } = useLazyModule(lazyChunks.commonPasswords, loadCommon, isWanted);
  return (
    <PasswordField
      name="password"
      label="Password"
      autoComplete="new-password"
      showsRule
      common={module?.commonPasswords ?? (error ? undefined : "loading")}
      onUse={() => setWanted(true)}
      {...(emailField === undefined ? {} : { emailField })}
    />
  );
}
