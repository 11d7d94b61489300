import { Notice } from "../../ui/text/notice.tsx";

/** Shown once. We store only hashes of the codes, so nobody can look them up again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Notice tone="good" isUrgent title="It is on. Now keep your recovery codes">
      <p>
        Each opens your account once when your phone is lost. We show them this one time: print them, or keep them with
        your passwords.
      </p>
      <ul className="recovery-codes figures" role="list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
