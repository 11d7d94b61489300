import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { waitInWords } from "./wait-in-words.ts";

/** The layout of the sign-in pages: a card, with the brand beside it. */
export function SignInPage({ title, children }: { title: string; children: ReactNode }) {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <div className="wrap page login">
      <PageHead title={title} isPrivate />
      <div className="login-card">
        <h1 className="display page-title">{title}</h1>
        {children}
      </div>
      <aside className="login-aside" aria-label={`About ${brand.name}`}>
        <p className="display">{brand.strapline}</p>
        <div className="hero-art" aria-hidden="true" />
      </aside>
    </div>
  );
}

/** Shown after too many attempts or requests. */
export function SlowDownNotice({ seconds }: { seconds: number }) {
  return (
    <Notice tone="warn" isUrgent title="Too many tries">
      <p>For the safety of the account, please wait {waitInWords(seconds)} before you try again.</p>
    </Notice>
  );
}
