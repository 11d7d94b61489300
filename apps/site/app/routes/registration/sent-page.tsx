import { findDraft } from "@farthing/core/registration/drafts.server.ts";
import { href, redirect, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/sent-page";
import { draftTokenOf } from "./draft-cookie.ts";
import { RegistrationFrame } from "./registration-frame.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand, origin } = context.get(visitContext);
  const token = draftTokenOf(request, origin);
  const draft = token === null ? null : await findDraft(db, { brandId: brand.id, token, now: now() });
  if (draft && !draft.isCompleted) throw redirect(href("/register/details"));
  return { email: draft?.email ?? null };
}

/** The page is the same whether the address is new or has an account. Only its mailbox learns which. */
export default function SentPage({ loaderData: { email } }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <RegistrationFrame step={null} title="Check your inbox">
      <PageHead title="Check your inbox" isPrivate />
      <div className="prose registration-sent">
        <p>
          We have sent an e-mail{email ? " to " : ""}
          {email && <strong>{email}</strong>}. Open it and follow what it says: one press, and you are in.
        </p>
        <h2 className="display registration-heading">Nothing there?</h2>
        <ul className="registration-list">
          <li>It can take a minute or two.</li>
          <li>Look in the folder for junk or promotions.</li>
          <li>
            Was there a slip in the address? <a href="/register">Begin again</a>.
          </li>
          <li>
            Still nothing? Write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
          </li>
        </ul>
      </div>
    </RegistrationFrame>
  );
}
