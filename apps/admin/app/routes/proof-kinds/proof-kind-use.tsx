import { MAX_COUNTED_REQUESTS } from "@farthing/core/verification-requests/rules.ts";

/** The member types in whose lists a proof kind is. */
export function AskedBy({ types }: { types: readonly { slug: string; name: string }[] }) {
  if (types.length === 0) return <span className="soft">no member type</span>;
  return types.map(({ slug, name }, at) => (
    <span key={slug}>
      {at > 0 && ", "}
      <a href={`/admin/member-types/${slug}#title-proofs`}>{name}</a>
    </span>
  ));
}

/** How many requests were sent as a proof kind. */
export function sentText(requests: number): number | string {
  return requests > MAX_COUNTED_REQUESTS ? `over ${MAX_COUNTED_REQUESTS.toLocaleString("en-GB")}` : requests;
}
