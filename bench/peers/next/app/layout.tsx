import type { ReactNode } from "react";
import { SiteFooter, SiteHeader } from "../parts.tsx";
import { findVisit } from "../visit.ts";

export const dynamic = "force-dynamic";

export default async function Layout({ children }: { children: ReactNode }) {
  const visit = await findVisit();
  return (
    <html lang="en-GB">
      <body>
        <SiteHeader visit={visit} />
        <main id="main">{children}</main>
        <SiteFooter visit={visit} />
      </body>
    </html>
  );
}
