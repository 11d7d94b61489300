import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
import { useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";

const loadCommon = () => import("./common-passwords.ts");

/**
 * The field for a new password. It applies every rule of the server, so that its label never calls a password good that
 * the server refuses (Y1). The list of common passwords is fetched when the field gets the focus; no password leaves
 * the page. Where the list cannot be loaded, the label follows the other rules, and the server applies this one.
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
