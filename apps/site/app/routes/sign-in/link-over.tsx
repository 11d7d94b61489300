import { Notice } from "../../ui/text/notice.tsx";
import { SignInPage } from "./sign-in-page.tsx";

/** Shown for a link from an e-mail that was used, has expired or was never ours. It does not say which. */
export function LinkOver({ again }: { again: { href: string; label: string } }) {
  return (
    <SignInPage title="This link is over">
      <Notice tone="warn" isUrgent title="It was used already, or its time is up">
        <p>Links from our e-mails work once, and only for a while. Ask for a new one, and use the newest.</p>
      </Notice>
      <p>
        <a className="button is-large is-wide" href={again.href}>
          {again.label}
        </a>
      </p>
    </SignInPage>
  );
}
