import type { ReactNode } from "react";
import { Banner, ConsentBanner, SiteFooter, SiteHeader } from "../parts.tsx";
import { findVisit } from "../visit.ts";

export const dynamic = "force-dynamic";

export default async function Layout({ children }: { children: ReactNode }) {
  const visit = await findVisit();
  return (
    <html lang="en-GB">
      <body>
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        <ConsentBanner />
        {visit.brand.banner && <Banner banner={visit.brand.banner} />}
        <SiteHeader visit={visit} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter visit={visit} />
        <div className="site-overlay" aria-hidden="true" />
      </body>
    </html>
  );
}
