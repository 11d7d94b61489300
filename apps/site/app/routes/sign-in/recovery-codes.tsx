import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { Notice } from "../../ui/text/notice.tsx";

/** Shown once. We store only hashes of the codes, so nobody can look them up again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const text = [
    `Recovery codes of ${brand.name}`,
    "Each opens your account once when your phone is lost.",
    "",
    ...codes,
    "",
  ].join("\r\n");
  return (
    <Notice tone="good" isUrgent title="It is on. Now keep your recovery codes">
      <p>
        Each opens your account once when your phone is lost. We show them this one time: print them, or keep them with
        your passwords.
      </p>
      <ul className="recovery-codes figures" role="list" id="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
            {/* The button copies a code a line. */}
            {"\n"}
          </li>
        ))}
      </ul>
      <div className="button-row recovery-codes-keep">
        <CopyButton target="recovery-codes" what="codes" />
        {/* The file is in the link: nothing that the server would have to keep, and nothing that needs script. */}
        <a
          className="button is-quiet"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          Download as text
        </a>
      </div>
    </Notice>
  );
}
