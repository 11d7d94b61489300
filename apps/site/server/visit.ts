import type { Brand } from "@farthing/core/brands/brand.ts";

/** Who is signed in on this request, from the session of this brand. */
export interface SignedInMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  /** When they last proved in this session who they are; unknown counts as long ago. */
  authenticatedAt?: Date;
}

/** What the server has found out about a request before a page is chosen. */
export interface Visit {
  requestId: string;
  brand: Brand;
  member: SignedInMember | null;
  /** Marks the scripts of this page; the server turns the marks into hashes of the content security policy. */
  nonce: string;
  /** Scheme, host and port the visitor used. What names the page to others starts with canonicalOrigin (core/brands) instead. */
  origin: string;
  /** The visitor's network address, as far as it can be trusted; limits on tries count by it. */
  clientAddress?: string;
  /** On pages inside a partner's frame (/pay, /frame/…): whose visitor this is. The member is null there, whoever is logged in. */
  widget?: WidgetVisit | null;
  /** Set where the server has refused the request before a page was chosen: the page says so, in the brand's look (product.md Z5). */
  refusal?: Refusal;
}

/** Why a request was not taken, in words for a person. */
export interface Refusal {
  status: number;
  title: string;
  /** What happened, and what to do. */
  text: string;
}

/** A visitor of a partner, in the partner's frame (product.md W9). */
export interface WidgetVisit {
  sessionId: string;
  partner: { name: string; publicId: string };
  /** The page around the frame: the one origin that messages go to and come from. */
  origin: string;
  /**
   * What the page's own requests carry as "Authorization: Bearer …", so that it works where the browser keeps no cookies for frames. Given to
   * the one page that /redirect answers with, which keeps it in memory; null on later pages, which came by cookie.
   */
  bearer: string | null;
}
