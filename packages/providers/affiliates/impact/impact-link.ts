/** What Impact appends to a programme's link: `SubId1` comes back with the sale, `u` is the page that the member arrives at. */
const REFERENCE = "subId1";
const LANDING_PAGE = "u";

/** `/c/{media partner}/{ad}/{campaign}` on the programme's own tracking domain. */
const LINK_PATH = /^\/c\/\d{1,20}\/\d{1,20}\/(\d{1,20})\/?$/;

/**
 * Returns the programme's tracking link with the click's reference and the landing page. The link is the `TrackingLink` of GET /Campaigns: its host is
 * the advertiser's own tracking domain (`example.sjv.io`), never the API's.
 * @throws RangeError when the link is not one of this programme
 */
export function impactLink({
  programmeLink,
  networkProgrammeId,
  landingUrl,
  reference,
  clickUrl,
}: {
  programmeLink: string;
  networkProgrammeId: string;
  landingUrl: string;
  reference: string;
  /** Replaces the programme's tracking domain where there is one: `http://localhost:3001/impact`. */
  clickUrl: string | null;
}): string {
  if (!isImpactLink(programmeLink, networkProgrammeId))
    throw new RangeError(
      `Impact's programme ${networkProgrammeId} has no link of its own. Import its programmes again.`,
    );
  const own = new URL(programmeLink);
  const link = clickUrl === null ? own : new URL(clickUrl.replace(/\/$/, "") + own.pathname + own.search);
  for (const name of [...link.searchParams.keys()]) if (/^(subid1|u)$/i.test(name)) link.searchParams.delete(name);
  link.searchParams.set(REFERENCE, reference);
  link.searchParams.set(LANDING_PAGE, landingUrl);
  link.hash = "";
  return link.href;
}

/** Returns whether the text is a tracking link of this programme. */
export function isImpactLink(text: string, networkProgrammeId: string): boolean {
  const link = URL.parse(text);
  return (
    link !== null &&
    /^https?:$/.test(link.protocol) &&
    link.username === "" &&
    link.password === "" &&
    LINK_PATH.exec(link.pathname)?.[1] === networkProgrammeId
  );
}
