/**
 * Partnerize's links are paths of `name:value` pairs in a fixed order: the campaign's reference (`camref`, one for each campaign and publisher), the
 * publisher's reference (`pubref`, which comes back with the conversion as `publisher_reference`), and last the destination.
 */
const CAMREF = /\/click\/camref:([A-Za-z0-9]{1,40})(?=$|\/)/;

/**
 * Returns the campaign's link with the click's reference and the landing page. The destination is encoded, so that it adds no pair of its own.
 * @param clickUrl `https://prf.hn`: the tracking host, never the API's
 * @throws RangeError when the programme's link holds no camref
 */
export function partnerizeLink({
  clickUrl,
  programmeLink,
  landingUrl,
  reference,
}: {
  clickUrl: string;
  programmeLink: string;
  landingUrl: string;
  reference: string;
}): string {
  const camref = camrefOf(programmeLink);
  if (camref === null)
    throw new RangeError("The programme has no link of its own at Partnerize. Import its programmes again.");
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  return `${clickUrl.replace(/\/$/, "")}/click/camref:${camref}/pubref:${encode(reference)}/destination:${encode(landingUrl)}`;
}

/** Returns the camref of a link such as `https://prf.hn/click/camref:1011l34`; null where it has none. */
export function camrefOf(programmeLink: string | null): string | null {
  return CAMREF.exec(programmeLink ?? "")?.[1] ?? null;
}
