import type { ReactNode } from "react";

/** The frame around the pages of the sign-in. */
export function SignedOutShell({ children }: { children: ReactNode }) {
  return (
    <div className="door">
      <header>
        <p className="bar-mark">
          Farthing <span>admin</span>
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
