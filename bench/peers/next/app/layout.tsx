import type { ReactNode } from "react";
import { SiteFooter } from "../../../../apps/site/app/ui/site-footer.tsx";
import { SiteHeader } from "../../../../apps/site/app/ui/site-header.tsx";
import { findVisit } from "../visit.ts";

export const dynamic = "force-dynamic";

export default async function Layout({ children }: { children: ReactNode }) {
  const { brand, member, now } = await findVisit();
  const data = { brand, member: member && { name: member.name }, origin: "", now };
  return (
    <html lang="en-GB">
      <body>
        <SiteHeader data={data as never} hasSearch />
        <main id="main">{children}</main>
        <SiteFooter data={data as never} />
      </body>
    </html>
  );
}
