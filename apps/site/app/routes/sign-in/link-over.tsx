import type { ReactNode } from "react";
import { Notice } from "../../ui/text/notice.tsx";
import { SignInPage } from "./sign-in-page.tsx";

/**
 * Shown for a link from an e-mail that was used, has expired or was never ours. It does not say which. `ifUsed`
 * is for somebody whose answer was lost on the way: what they did may have worked.
 */
export function LinkOver({ again, ifUsed }: { again: { href: string; label: string }; ifUsed?: ReactNode }) {
  return (
    <SignInPage title="This link is over">
      <Notice tone="warn" isUrgent title="It was used already, or its time is up">
        <p>Links from our e-mails work once, and only for a while. Ask for a new one, and use the newest.</p>
      </Notice>
      {ifUsed && <p>{ifUsed}</p>}
      <p>
        <a className="button is-large is-wide" href={again.href}>
          {again.label}
        </a>
      </p>
    </SignInPage>
  );
}
