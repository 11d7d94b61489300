import type { FramedMember } from "@farthing/core/partners/widget-session.server.ts";
import type { FixedPrice } from "@farthing/core/partners/fixed-price.ts";
import type { PartnerMode } from "@farthing/core/partners/mode.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";

/** The member who is signed in on this request, from the session of this brand. */
export interface SignedInMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  /** When the member last proved their identity in this session. Unknown counts as long ago. */
  authenticatedAt?: Date;
}

/** What the server knows of a request before a page is chosen. */
export interface Visit {
  requestId: string;
  brand: Brand;
  member: SignedInMember | null;
  /**
   * Set where a page is rendered once for all members of the brand, with the texts that stand for a member's name, for
   * the pseudonym of their telemetry, and for the sentence about their money.
   * `member` is null then, so that nothing of a person can get into the page (docs/decisions/032-pages-for-members.md).
   */
  anyMember?: { name: string; telemetryUser: string; money: string };
  /**
   * Set where `member` is seen by an operator who acts as them with their consent (A3). The page says so, and nothing is
   * measured or agreed to.
   */
  acting?: ActingVisit | null;
  /** Marks the scripts of this page. The server replaces the marks with hashes in the content security policy. */
  nonce: string;
  /**
   * Scheme, host and port that the visitor used. Addresses that others see start with canonicalOrigin
   * (core/brands) instead.
   */
  origin: string;
  /** The visitor's network address, as far as it can be trusted. Rate limits count by it. */
  clientAddress?: string;
  /**
   * On a page inside a partner's frame (/pay): whose visitor this is. The member is null there, even if one is
   * logged in.
   */
  widget?: WidgetVisit | null;
  /**
   * Set where the server has refused the request before a page was chosen. The page says so in the brand's look (Z5).
   */
  refusal?: Refusal;
}

/** An operator who acts as a member (apps/server/account-access). */
export interface ActingVisit {
  /** Of the request that the member has agreed to. */
  publicId: string;
  operator: { id: string; email: string; name: string };
  memberId: string;
  endsAt: Date;
}

/** Returns whether the page is for a member, known or not. */
export function isForMember({ member, anyMember }: Pick<Visit, "member" | "anyMember">): boolean {
  return member !== null || anyMember !== undefined;
}

/** Why a request was refused, in words for a person. */
export interface Refusal {
  status: number;
  title: string;
  /** What happened, and what to do. */
  text: string;
}

/** A partner's visitor, inside the partner's frame (W9). */
export interface WidgetVisit {
  sessionId: string;
  partner: { name: string; publicId: string };
  /** Origin of the page around the frame: the only one that messages go to and come from. */
  origin: string;
  /**
   * The token that the page's own requests send as "Authorization: Bearer …", for browsers that keep no cookies for
   * frames. Only the page that /redirect answers with receives it, and keeps it in memory. It is null on later pages,
   * which are identified by cookie.
   */
  bearer: string | null;
  /** The member whom the partner's server has named; null or absent: a visitor without an account. */
  member?: FramedMember | null;
  /** A payment in "test" takes no money. By default "live". */
  mode?: PartnerMode;
  /** What the partner's server has fixed; null or absent: the visitor types the amount. */
  price?: FixedPrice | null;
}
