import { findMemberRecord } from "@farthing/core/members/member-record.server.ts";
import { countExport, exportArchive } from "@farthing/core/personal-data/export-archive.server.ts";
import { redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actForFile, actorOf } from "../../kit/actor.server.ts";
import { streamedFile } from "../../kit/streamed-file.ts";
import type { Route } from "./+types/member-export";

/** Only the button makes an archive. */
export function loader({ params: { id } }: Route.LoaderArgs) {
  return redirect(`/admin/members/${encodeURIComponent(id)}`, 303);
}

/** Answers with everything that the club has of a member (M5), for one who asks us in another way. The member sees that a copy was made. */
export async function action({ context, params: { id } }: Route.ActionArgs) {
  const { db, attachments } = context.get(servicesContext);
  const { now } = actorOf(context);
  const member = await findMemberRecord(db, { id, now });
  if (!member) throw refused(404, { title: "No such member", text: "Look for the member by name, e-mail or number." });
  const what = { permission: "members.export", action: "member.export", subject: { type: "member", id } } as const;
  const isCounted = await actForFile(context, what, (joined) =>
    countExport(joined, { brandId: member.brandId, memberId: id, now }),
  );
  if (!isCounted)
    throw refused(429, {
      title: "Too many copies today",
      text: "The allowed number of copies of this member's data was made in the last 24 hours. Try again tomorrow.",
    });
  const archive = exportArchive(db, {
    brand: { id: member.brandId, name: member.brand },
    memberId: id,
    memberName: member.name,
    attachmentKey: attachments.key,
    attachmentOldKeys: attachments.oldKeys,
    now,
  });
  return streamedFile(archive, {
    type: "application/zip",
    name: `member-${member.number}-${now.toISOString().slice(0, 10)}.zip`,
  });
}
