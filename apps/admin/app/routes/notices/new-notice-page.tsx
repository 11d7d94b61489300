import { act } from "@farthing/core/audit/act.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { saveNotice, type SavedNotice } from "@farthing/core/notices/notice-records.server.ts";
import { noticeStatement } from "@farthing/core/notices/schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { NoticeFields } from "./notice-fields.tsx";
import type { Route } from "./+types/new-notice-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const start: Typed = { kind: "trouble", since: toLondon(now()).slice(0, 16) };
  return { start, brands: (await listBrands(db)).map(({ slug, name }) => ({ slug, name })) };
}

interface Posted {
  typed: Typed;
  faults: Faults;
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, noticeStatement);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const saved = await act(
    db,
    actorOf(context),
    {
      permission: "brands.change",
      action: "notice.create",
      subject: { type: "notice", idOf: (result: SavedNotice) => (result.outcome === "saved" ? result.id : "") },
      changed: ({ outcome }: SavedNotice) => outcome === "saved",
    },
    (joined) => saveNotice(joined, { notice: form.value, changed: null }),
  );
  if (saved.outcome === "saved") return redirect("/admin/notices?done", 303);
  return data<Posted>({ typed: form.typed, faults: { brand: "Choose a brand of the list." } }, { status: 422 });
}

export default function NewNoticePage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { start, brands } = loaderData;
  return (
    <section className="narrow">
      <PageHead title="New notice" crumbs={[{ label: "Notices", href: "/admin/notices" }]} />
      <FaultSummary faults={posted?.faults} />
      <form method="post" className="card" action="/admin/notices/new">
        <NoticeFields typed={posted?.typed ?? start} faults={posted?.faults} brands={brands} />
        <p>
          <button className="button is-main">Show it</button>
        </p>
      </form>
    </section>
  );
}
